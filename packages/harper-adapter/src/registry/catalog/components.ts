import { z } from 'zod';
import type { OperationSpec } from './operation-spec.js';
import { name, none, replicated } from './operation-spec.js';

const project = name.describe('Folder of the application');
const inFile = { project, type: z.enum(['routes', 'helpers']), file: name };

/** Operations on applications and components. Those that hand out their files are denied. */
export const COMPONENTS: readonly OperationSpec[] = [
  {
    name: 'get_components',
    description: 'Lists the applications and components on this server and their files.',
    effect: 'read',
    input: none,
  },
  { name: 'get_deployment', description: 'Returns how a deployment went.', effect: 'read' },
  { name: 'list_deployments', description: 'Lists the deployments of applications.', effect: 'read' },
  {
    name: 'set_component_file',
    description:
      'Writes a file of an application on this server or all of them; nothing of the old one is kept.',
    effect: 'destructive',
    input: z.strictObject({
      project,
      file: name.describe('Path within the folder'),
      payload: z.string().describe('The whole text'),
      replicated,
    }),
  },
  {
    name: 'add_component',
    description: 'Creates an application from a template.',
    effect: 'destructive',
    input: z.strictObject({ project, template: name.optional(), replicated }),
  },
  {
    name: 'deploy_component',
    description: 'Installs an application from a package and runs it.',
    effect: 'destructive',
    input: z.strictObject({
      project,
      package: name.describe('Name in a registry, or URL of a repository'),
      restart: z
        .union([z.boolean(), z.literal('rolling')])
        .optional()
        .describe('Replace the workers then'),
      replicated,
    }),
  },
  {
    name: 'drop_component',
    description: 'Deletes an application, or one file of it.',
    effect: 'destructive',
    input: z.strictObject({ project, file: name.optional(), replicated, restart: z.boolean().optional() }),
  },
  {
    name: 'delete_deployment_payload',
    description: 'Deletes the stored package of a deployment.',
    effect: 'destructive',
  },
  {
    name: 'install_node_modules',
    description: 'Runs npm install in applications.',
    effect: 'destructive',
    legacy: true,
    input: z.strictObject({ projects: z.array(name).min(1), dry_run: z.boolean().optional() }),
  },
  {
    name: 'custom_functions_status',
    description: 'Tells whether custom functions are on, and where they are.',
    effect: 'read',
    legacy: true,
    input: none,
  },
  {
    name: 'get_custom_functions',
    description: 'Lists the projects of custom functions and their files.',
    effect: 'read',
    legacy: true,
    input: none,
  },
  {
    name: 'set_custom_function',
    description: 'Writes a file of custom functions.',
    effect: 'destructive',
    legacy: true,
    input: z.strictObject({ ...inFile, function_content: z.string() }),
  },
  {
    name: 'drop_custom_function',
    description: 'Deletes a file of custom functions.',
    effect: 'destructive',
    legacy: true,
    input: z.strictObject(inFile),
  },
  {
    name: 'add_custom_function_project',
    description: 'Creates a project of custom functions from a template.',
    effect: 'destructive',
    legacy: true,
    input: z.strictObject({ project }),
  },
  {
    name: 'drop_custom_function_project',
    description: 'Deletes a project of custom functions.',
    effect: 'destructive',
    legacy: true,
    input: z.strictObject({ project }),
  },
  {
    name: 'deploy_custom_function_project',
    description: 'Installs a project of custom functions from a packed archive.',
    effect: 'destructive',
    legacy: true,
    input: z.strictObject({ project, payload: name.describe('A tar archive, base64') }),
  },
];
