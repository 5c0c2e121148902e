/** What the operations API is configured with for browsers. */
export interface CorsSettings {
  readonly cors?: boolean | undefined;
  readonly corsAccessList?: readonly string[] | undefined;
}

/** The headers that let a browser page of this origin read an answer, as HarperDB sets them on its own. */
export function corsHeaders(
  { cors = false, corsAccessList = [] }: CorsSettings,
  origin: string | undefined,
): Readonly<Record<string, string>> {
  if (!cors || origin === undefined) return {};
  if (!corsAccessList.includes('*') && !corsAccessList.includes(origin)) return { vary: 'Origin' };
  return { 'access-control-allow-origin': origin, vary: 'Origin' };
}
