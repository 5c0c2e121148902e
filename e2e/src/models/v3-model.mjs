import { ScriptedModel, calls, registerScript, reply, scriptByTranscript } from '@harperfast/agent-testkit';

const RESOURCE =
  "export class Hello extends Resource {\n  static loadAsInstance = false;\n  get() {\n    return 'hi';\n  }\n}\n";

export const register = registerScript(
  new ScriptedModel(
    scriptByTranscript([
      calls(
        {
          name: 'write_file',
          arguments: {
            path: 'hello/config.yaml',
            content: "rest: true\njsResource:\n  files: 'resources.js'\n",
          },
        },
        { name: 'write_file', arguments: { path: 'hello/resources.js', content: RESOURCE } },
      ),
      calls({ name: 'restart_service', arguments: { service: 'http_workers' } }),
      reply('The Resource Hello is written and the workers were replaced.'),
    ]),
  ),
);
