import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HostError, messageOf } from '../host-error.js';
import type { HostLogger } from '../log/open-log.js';

/** A class a component exports. */
export type ResourceClass = (new (id?: unknown) => object) & object;

/** What is served under each name: a class, or why its component could not be loaded. */
export type Resources = Map<string, ResourceClass | HostError>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * Loads `resources.js` of every folder below `componentsRoot`. A component that does not load is logged; its
 * folder's name and the classes its text exports answer with that error, and the others are not touched.
 */
export async function loadResources(componentsRoot: string, logger: HostLogger): Promise<Resources> {
  const resources: Resources = new Map();
  const folders = await readdir(componentsRoot, { withFileTypes: true }).catch(() => []);
  for (const folder of folders.filter((entry) => entry.isDirectory() || entry.isSymbolicLink())) {
    const file = join(componentsRoot, folder.name, 'resources.js');
    const source = await readFile(file, 'utf8').catch(() => undefined);
    if (source === undefined) continue;
    try {
      const exported: Readonly<Record<string, unknown>> = await import(pathToFileURL(file).href);
      for (const [name, value] of Object.entries(exported))
        if (isResourceClass(value)) resources.set(name, value);
    } catch (error) {
      // The stack of a syntax error begins with the file and line, which the message does not say.
      logger.error(`Component ${folder.name} could not be loaded:`, error);
      const failure = new HostError(500, `Component ${folder.name} could not be loaded: ${messageOf(error)}`);
      for (const name of [folder.name, ...exportedClasses(source)]) resources.set(name, failure);
    }
  }
  return resources;
}

function isResourceClass(value: unknown): value is ResourceClass {
  if (typeof value !== 'function') return false;
  return METHODS.some((name) => hasMethod(value, name));
}

/** Whether a class has such a method, static or of its instances. */
export function hasMethod(resource: object, name: string): boolean {
  const prototype: unknown = Reflect.get(resource, 'prototype');
  return has(resource, name) || (typeof prototype === 'object' && prototype !== null && has(prototype, name));
}

function has(holder: object, name: string): boolean {
  return name in holder && typeof Reflect.get(holder, name) === 'function';
}

function exportedClasses(source: string): string[] {
  return [...source.matchAll(/export\s+class\s+([A-Za-z_$][\w$]*)/g)].flatMap(([, name]) => name ?? []);
}
