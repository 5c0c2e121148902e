import type { TokenCounter } from '@harperfast/agent-core/contracts';

/**
 * Longer texts are not looked at: the estimate takes up to half a millisecond a KiB, and the thread is not the
 * agent's own.
 */
const LONGEST_LOOKED_AT = 8_192;

/**
 * Loads an estimate of tokens that looks at the text (`tokenx`). It never falls below a token for four bytes, since
 * blanks and encoded data count for next to nothing there; of long texts it takes a token for three bytes.
 */
export async function loadTokenCounter(): Promise<TokenCounter> {
  const { estimateTokenCount } = await import('tokenx');
  return {
    count(text) {
      const bytes = Buffer.byteLength(text);
      if (text.length > LONGEST_LOOKED_AT) return Math.ceil(bytes / 3);
      return Math.max(estimateTokenCount(text), Math.ceil(bytes / 4));
    },
  };
}
