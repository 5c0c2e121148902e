type Environment = Readonly<Record<string, string | undefined>>;

/** Without what a test runner and npm put there. */
export function cleanEnvironment(environment: Environment = process.env): NodeJS.ProcessEnv {
  return without(/^(NODE_OPTIONS|NODE_ENV|NODE_CHANNEL_\w+|VITEST.*|npm_.*)$/, environment);
}

/**
 * Without keys, secrets and passwords: for programs that call no model and serve no application. Tokens stay, as an
 * `.npmrc` may name one.
 */
export function withoutKeys(environment: Environment): NodeJS.ProcessEnv {
  return without(/_(KEY|SECRET|PASSWORD)$/i, environment);
}

/** What `npm run` hands down is meant for the project it runs in; where packages come from stays. */
export function npmEnvironment(environment: Environment = process.env): NodeJS.ProcessEnv {
  return withoutKeys(without(/^npm_(?!config_(registry|.*proxy|cafile|userconfig)$)/, environment));
}

function without(dropped: RegExp, environment: Environment): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !dropped.test(name)));
}
