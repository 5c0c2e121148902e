import { isIP, type LookupFunction } from 'node:net';

/** What a name leads to: the answers of one lookup after the other, the last one again and again. */
export type DnsAnswers = Readonly<Record<string, readonly (readonly string[])[]>>;

/** A resolver with these answers and no others; an answer without addresses stays one. */
export function fakeDns(answers: DnsAnswers): LookupFunction & { readonly asked: string[] } {
  const asked: string[] = [];
  const lookup: LookupFunction = (hostname, options, callback) => {
    const known = answers[hostname];
    const found = known?.[Math.min(asked.filter((name) => name === hostname).length, known.length - 1)];
    asked.push(hostname);
    const addresses = (found ?? []).map((address) => ({ address, family: isIP(address) }));
    const error =
      found === undefined ? Object.assign(new Error(`no ${hostname}`), { code: 'ENOTFOUND' }) : null;
    queueMicrotask(() => {
      if (options.all === true || error !== null) callback(error, addresses);
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
    });
  };
  return Object.assign(lookup, { asked });
}
