import { z } from 'zod';
import { HostError } from '../host-error.js';
import type { HostUser } from '../users/user.js';
import {
  toolSchema,
  type McpProfile,
  type RegisteredTool,
  type ToolDescriptor,
  type ToolProvider,
} from './tool.js';

// One registry a thread, as in Harper: the state is the module's, so every importer in the thread shares it.
const tools = new Map<string, RegisteredTool>();
const providers = new Map<McpProfile, ToolProvider>();
const listeners = new Set<(profile: McpProfile) => void>();

/** Adds a tool, or replaces the one of that name, whatever its profile: static tools share one namespace. */
export function addTool(definition: unknown): void {
  const parsed = toolSchema.safeParse(definition);
  if (!parsed.success) throw new HostError(400, `Not a tool: ${z.prettifyError(parsed.error)}`);
  const replaced = tools.get(parsed.data.name);
  tools.set(parsed.data.name, parsed.data);
  if (replaced !== undefined && replaced.profile !== parsed.data.profile) toolsChanged(replaced.profile);
  toolsChanged(parsed.data.profile);
}

/** Whether there was such a tool. Those of a provider stay. */
export function removeTool(name: string): boolean {
  const tool = tools.get(name);
  if (tool === undefined) return false;
  tools.delete(name);
  toolsChanged(tool.profile);
  return true;
}

/** The static tool of that name, else a provider's. */
export function getTool(name: string, profile?: McpProfile): RegisteredTool | undefined {
  const tool = tools.get(name);
  if (tool !== undefined && (profile === undefined || tool.profile === profile)) return tool;
  const asked = profile === undefined ? [...providers.values()] : [providers.get(profile)];
  for (const provider of asked) {
    const provided = provider?.get(name);
    if (provided !== undefined) return provided;
  }
  return undefined;
}

/** All tools of a profile, whoever may see them. A static tool hides a provider's of the same name. */
export function listProfileTools(profile: McpProfile): RegisteredTool[] {
  const own = [...tools.values()].filter((tool) => tool.profile === profile);
  const names = new Set(own.map(({ name }) => name));
  const provided = providers.get(profile)?.list() ?? [];
  return [...own, ...provided.filter(({ name }) => !names.has(name))];
}

/** The tools of a profile by name, as they are at this moment. */
export function snapshotProfileTools(profile: McpProfile): ReadonlyMap<string, RegisteredTool> {
  return new Map(listProfileTools(profile).map((tool) => [tool.name, tool]));
}

/** Removes the static tools of a profile. */
export function clearProfileTools(profile: McpProfile): void {
  for (const tool of tools.values()) if (tool.profile === profile) tools.delete(tool.name);
  toolsChanged(profile);
}

/** Has a profile's further tools made on demand; `undefined` ends that. */
export function setProfileToolProvider(profile: McpProfile, provider: ToolProvider | undefined): void {
  if (provider === undefined) providers.delete(profile);
  else providers.set(profile, provider);
  toolsChanged(profile);
}

export interface ListToolsQuery {
  readonly user: HostUser;
  readonly profile: McpProfile;
  readonly sessionId: string;
  readonly offset?: number;
  readonly limit: number;
}

/** A page of what this user may see; `nextOffset` is where the next one begins. */
export function listTools(query: ListToolsQuery): { tools: ToolDescriptor[]; nextOffset?: number } {
  const { user, profile, offset = 0, limit } = query;
  const visible = listProfileTools(profile).filter((tool) => isVisible(tool, user));
  const page = visible.slice(offset, offset + limit).map(describe);
  const next = offset + page.length;
  return { tools: page, ...(next < visible.length && page.length > 0 && { nextOffset: next }) };
}

/** Tells every session that listens that the tools of this profile are others now. */
export function toolsChanged(profile: McpProfile): void {
  for (const listener of listeners) listener(profile);
}

/** Calls `listener` whenever a list of tools changes. Returns what ends that. */
export function onToolsChanged(listener: (profile: McpProfile) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function isVisible(tool: RegisteredTool, user: HostUser): boolean {
  try {
    return tool.visibleTo(user);
  } catch {
    return false;
  }
}

function describe({ name, description, inputSchema, outputSchema, annotations }: RegisteredTool) {
  return {
    name,
    description,
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations }),
  };
}
