import type { ApplicationSource } from './application-source.js';

/** The tools of this thread while it has any, else those of `elsewhere`. */
export function firstSource(
  isHere: () => boolean,
  here: ApplicationSource,
  elsewhere: ApplicationSource,
): ApplicationSource {
  const source = () => (isHere() ? here : elsewhere);
  return {
    list: (caller) => source().list(caller),
    call: (name, input, context) => source().call(name, input, context),
    async close() {
      await Promise.all([here.close(), elsewhere.close()]);
    },
  };
}
