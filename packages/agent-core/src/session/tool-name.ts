/** What a tool may be called: what every provider accepts. */
export const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

const LONGEST = 64;

/** The name itself where a tool could have it, else the nearest one that a provider accepts. */
export function usableName(name: string): string {
  if (TOOL_NAME.test(name)) return name;
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, LONGEST) || 'unnamed';
}
