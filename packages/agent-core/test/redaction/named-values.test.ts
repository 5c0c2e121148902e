import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTION_MARK } from '../../src/index.js';
import { kindOfName } from '../../src/redaction/secret-name.js';

const redactor = createRedactor();
const redact = async (text: string): Promise<string> => redactor.redact(text);
const redactOutput = async (text: string): Promise<string> => redactor.redactOutput(text);
const M = REDACTION_MARK;

describe('kindOfName', () => {
  it.each([
    'password',
    'Password',
    'DB_PASSWORD',
    'db-password',
    'userPassword',
    'PGPASSWORD',
    'password2',
    'password_hash',
    'passwd',
    'MYSQL_PWD',
    'SMTP_PASS',
    'passphrase',
    'secret',
    'clientSecret',
    'client-secret',
    'CLIENT_SECRET',
    'aws_secret_access_key',
    'SecretAccessKey',
    'SECRET_KEY_BASE',
    'SECRET',
    'token',
    'accessToken',
    'refresh_token',
    'authToken',
    'authtoken',
    '_authToken',
    'X-Amz-Security-Token',
    'csrfToken',
    'session_token',
    'API_TOKEN',
    'apiKey',
    'apikey',
    'api_key',
    'API-KEY',
    'x-api-key',
    'OPENAI_API_KEY',
    'API_KEY_PROD',
    'API key',
    'privateKey',
    'private_key',
    'accessKey',
    'credential',
    'credentials',
    'awsCredentials',
    'jwt',
    'sessionSecret',
    'session_key',
    'JSESSIONID',
    'signingKey',
    'encryption_key',
    'accessTokens',
  ])('takes the value of %s for a secret', (name) => {
    expect(kindOfName(name)).toBe('secret');
  });

  it.each([
    'authorization',
    'Authorization',
    'Proxy-Authorization',
    'cookie',
    'Cookie',
    'Set-Cookie',
    'set-cookie',
    'authorizationHeader',
  ])('takes the value of %s for a header', (name) => {
    expect(kindOfName(name)).toBe('header');
  });

  it.each([
    'auth',
    '_auth',
    'hdbAuthHeader',
    'session',
    'sid',
    'connect.sid',
    'pass',
    'pwd',
    'STRIPE_KEY',
    'sig',
    'X-Amz-Signature',
  ])('looks at the value of %s', (name) => {
    expect(kindOfName(name)).toBe('maybe');
  });

  it.each([
    'tokens',
    'maxTokens',
    'max_tokens',
    'tokenCount',
    'token_type',
    'promptTokens',
    'nextToken',
    'next_page_token',
    'pageToken',
    'ContinuationToken',
    'eosToken',
    'tokenizer',
    'secretName',
    'secret_name',
    'secretRef',
    'secretary',
    'passwordPolicy',
    'password_min_length',
    'forgotPassword',
    'hasPassword',
    'bypass',
    'compass',
    'passed',
    'passing',
    'passenger',
    'publicKey',
    'primaryKey',
    'foreign_key',
    'PRIMARY_KEY',
    'CACHE_KEY',
    'key',
    'keys',
    'monkey',
    'keyboard',
    'accessKeyId',
    'session_id',
    'sessionId',
    'sessions',
    'author',
    'authors',
    'authority',
    'authorizationUrl',
    'cookieName',
    'cookieDomain',
    'inside',
    'credentialsFile',
    'tokenEndpoint',
    'hashKey',
    'keyframes',
    'OLDPWD_DIR',
    'design-token',
  ])('takes %s for harmless', (name) => {
    expect(kindOfName(name)).toBeUndefined();
  });
});

/** Each secret is written `hunter2…`; the expected text has marks in its place and is otherwise the same. */
const MASKED: readonly (readonly [string, string])[] = [
  // JSON: compact, pretty, within a string, within a string of a string, cut off
  ['{"password":"hunter2"}', `{"password":"${M}"}`],
  [
    '{\n  "user": "ann",\n  "db": { "password" : "hunter2", "port": 5432 }\n}',
    `{\n  "user": "ann",\n  "db": { "password" : "${M}", "port": 5432 }\n}`,
  ],
  ['{"apiKey":"hunter2 \\"quoted\\" \\\\","next":1}', `{"apiKey":"${M}","next":1}`],
  [
    JSON.stringify({ body: JSON.stringify({ token: 'hunter2"x\\', n: 1 }) }),
    JSON.stringify({ body: JSON.stringify({ token: M, n: 1 }) }),
  ],
  [
    JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ secret: 'hunter2"\\', c: 'd' }) }) }),
    JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ secret: M, c: 'd' }) }) }),
  ],
  [
    JSON.stringify({ body: JSON.stringify({ password: 'hunter2' }, null, 2) }),
    JSON.stringify({ body: JSON.stringify({ password: M }, null, 2) }),
  ],
  ['{"a":1,"secret":"hunter2 is cut o', `{"a":1,"secret":"${M}`],
  ['{"password":12345678,"pin":1}', `{"password":"${M}","pin":1}`],
  [JSON.stringify({ body: '{"password":12345678}' }), JSON.stringify({ body: `{"password":"${M}"}` })],
  ['{"set-cookie":["sid=hunter2; Path=/","b=hunter2"],"n":[1]}', `{"set-cookie":["${M}","${M}"],"n":[1]}`],
  [
    '{"credentials":{"user":"hunter2u","n":1,"key":"hunter2"},"a":"b"}',
    `{"credentials":{"user":"${M}","n":1,"key":"${M}"},"a":"b"}`,
  ],
  [
    '{"headers":[{"name":"Authorization","value":"Bearer hunter2"}]}',
    `{"headers":[{"name":"Authorization","value":"Bearer ${M}"}]}`,
  ],
  ['{"auths":{"registry":{"auth":"aHVudGVyMg0K1"}}}', `{"auths":{"registry":{"auth":"${M}"}}}`],
  // what an inspector prints
  [
    "{ user: 'ann', password: 'hunter2', OPENAI_API_KEY: 'hunter2' }",
    `{ user: 'ann', password: '${M}', OPENAI_API_KEY: '${M}' }`,
  ],
  ["Map(1) { 'token' => 'hunter2' }", `Map(1) { 'token' => '${M}' }`],
  // headers
  [
    'GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Basic aHVudGVyMg==\r\nAccept: */*',
    `GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Basic ${M}\r\nAccept: */*`,
  ],
  ['< Set-Cookie: sid=hunter2; Path=/; HttpOnly\n< Date: now', `< Set-Cookie: ${M}\n< Date: now`],
  ['Cookie: a="hunter2 x"; b=2\nHost: x', `Cookie: ${M}\nHost: x`],
  ['X-Api-Key: hunter2\nHost: x', `X-Api-Key: ${M}\nHost: x`],
  ["curl -H 'Authorization: Bearer hunter2' http://x/", `curl -H 'Authorization: Bearer ${M}' http://x/`],
  [
    JSON.stringify({ raw: 'Cookie: sid=hunter2; b=c\r\nHost: x' }),
    JSON.stringify({ raw: `Cookie: ${M}\r\nHost: x` }),
  ],
  // env and ini
  ['SECRET=hunter2', `SECRET=${M}`],
  ['A=1\nexport DB_PASSWORD=hunter2 and words # note\nB=2', `A=1\nexport DB_PASSWORD=${M} # note\nB=2`],
  ['API_KEY="hunter2"\nTOKEN=\'hunter2\'', `API_KEY="${M}"\nTOKEN='${M}'`],
  ['config/app.env:12:SECRET=hunter2', `config/app.env:12:SECRET=${M}`],
  ['   12\tSECRET=hunter2', `   12\tSECRET=${M}`],
  [
    JSON.stringify({ content: 'A=1\nSECRET=hunter2 x\nB=2' }),
    JSON.stringify({ content: `A=1\nSECRET=${M}\nB=2` }),
  ],
  [JSON.stringify({ content: 'SECRET=hunter2 x' }), JSON.stringify({ content: `SECRET=${M}` })],
  [
    JSON.stringify([JSON.stringify({ c: 'SECRET=hunter2\nB=2' })]),
    JSON.stringify([JSON.stringify({ c: `SECRET=${M}\nB=2` })]),
  ],
  ['password = hunter2', `password = ${M}`],
  ['STRIPE_KEY=hunter2hunter2', `STRIPE_KEY=${M}`],
  // YAML
  ['db:\n  user: ann\n  password: hunter2\n  port: 1', `db:\n  user: ann\n  password: ${M}\n  port: 1`],
  ['  - token: "hunter2"\n', `  - token: "${M}"\n`],
  ['passphrase: correct horse battery staple', `passphrase: ${M}`],
  ['env:\n  - name: DB_PASSWORD\n    value: hunter2\n', `env:\n  - name: DB_PASSWORD\n    value: ${M}\n`],
  ['{user: ann, password: hunter2, port: 1}', `{user: ann, password: ${M}, port: 1}`],
  // URLs, forms, connection strings, flags, logs
  ['GET /cb?code=1&access_token=hunter2&x=1', `GET /cb?code=1&access_token=${M}&x=1`],
  ['user=ann&password=hunter2&x=1', `user=ann&password=${M}&x=1`],
  ['password=hunter2&user=ann', `password=${M}&user=ann`],
  ['Server=a;User=b;Password=hunter2;Port=1', `Server=a;User=b;Password=${M};Port=1`],
  ['postgres://app:hunter2@db:5432/x', `postgres://app:${M}@db:5432/x`],
  ['https://ann:hun@ter2@host/x?y=z', `https://ann:${M}@host/x?y=z`],
  ['redis://:hunter2@cache:6379', `redis://:${M}@cache:6379`],
  ['tool --password hunter2 --verbose', `tool --password ${M} --verbose`],
  ['tool --api-key=hunter2 x', `tool --api-key=${M} x`],
  ['level=info msg="login" token=hunter2 user=ann', `level=info msg="login" token=${M} user=ann`],
  [
    '<input type="hidden" name="csrf_token" value="hunter2">',
    `<input type="hidden" name="csrf_token" value="${M}">`,
  ],
];

const UNTOUCHED: readonly string[] = [
  '{"usage":{"promptTokens":12,"completionTokens":3},"tokens":123,"maxTokens":4096,"tokenCount":9}',
  '{"password":"","token":null,"secret":false,"apiKey":"${OPENAI_API_KEY}","key":"users/12"}',
  '{"type":"object","properties":{"password":{"type":"string","description":"the password"}},"required":["password"]}',
  '{"attributes":[{"attribute":"password","type":"String"},{"name":"token","type":"ID"}]}',
  '{"session_id":"s_01","status":"running","nextToken":"abc123def","publicKey":"MIIB1234567"}',
  '{"privateKey":"/root/hdb/keys/privateKey.pem","certificate":"/root/hdb/keys/certificate.pem"}',
  '{"pass":12,"fail":0,"session":"main","auth":"basic"}',
  'type Table @table { id: ID @primaryKey password: String! token: [String] }',
  'interface User {\n  password: string;\n  token?: string;\n  secret: string\n}',
  'const token = getToken();\nlet password = value;\nthis.secret = secret;\nif (token === other) {}',
  'headers: {\n  authorization: token,\n  cookie: parse(req),\n}',
  'const headers = { Authorization: `Bearer ${token}` };',
  "headers.set('Authorization', 'Bearer ' + token)",
  'password: z.string().min(8),\n  token: user.token,\n  apiKey: process.env.API_KEY\n',
  'connect(password=password, token=settings.API_TOKEN)',
  'Enter the password: it must have eight letters. The token: none.',
  'Use Authorization: Bearer <token> and Cookie: <cookie>.',
  'The secretary passed the author a key: three tokens.',
  'PWD=/root/app\nOLDPWD=/root\nSHELL=/bin/sh',
  'Tests: pass=12 fail=0\n  pass: 12\n',
  'https://example.com:8080/@scope/name?x=1 http://user@host/ npm://a:b',
  'db = `postgres://${user}:${password}@host/db`',
  '[[redacted]] and "token":"[[redacted]]" and SECRET=[[redacted]]',
  'secret_name: my-tls\ntoken_type: bearer\n',
  '<label for="password">Password</label><input type="password" name="password" placeholder="Password">',
];

describe('redactOutput', () => {
  it.each(MASKED)('masks %j', async (given, expected) => {
    expect(await redactOutput(given)).toBe(expected);
    expect(await redactOutput(expected)).toBe(expected);
  });

  it.each(UNTOUCHED)('leaves %j alone', async (text) => {
    expect(await redactOutput(text)).toBe(text);
  });

  it('masks long values to their end', async () => {
    const long = 'Ab1-'.repeat(3_000);
    for (const [before, after] of [
      ['SECRET=', '\r\nB=2'],
      ['Cookie: sid=1; x=', '\r\nHost: x'],
      ['{"password":"', '","n":1}'],
      ['GET /?token=', '&n=1'],
    ] as const) {
      const masked = await redactOutput(before + long + after);
      expect(masked).not.toContain('Ab1-');
      expect(masked.endsWith(after)).toBe(true);
    }
  });

  it('does not go by names in prompts, code and arguments', async () => {
    const text = 'password: hunter2\n{"token":"hunter2"}\nSECRET=hunter2\nCookie: sid=hunter2';
    expect(await redact(text)).toBe(text);
    expect(await redactOutput(text)).not.toContain('hunter2');
  });
});
