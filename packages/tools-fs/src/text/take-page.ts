import { cutBefore } from './utf8.js';

/** The part of a window that fits one answer. */
export interface PageCut {
  /** Bytes of the window that are shown. */
  readonly bytes: number;
  /** Whole lines among them; the last line of a file counts without its newline too. */
  readonly lines: number;
  /** The page ends in the middle of a line. */
  readonly partial: boolean;
}

const NEWLINE = 0x0a;

/**
 * Cuts a page from the start of `window`: as many whole lines as fit `maxBytes` and `maxLines`, or, where not even the
 * first one fits, the part of it that does. `atEnd` says that the file ends with the window.
 */
export function takePage(
  window: Uint8Array,
  limits: { maxBytes: number; maxLines: number },
  atEnd: boolean,
): PageCut {
  const fits = Math.min(window.length, limits.maxBytes);
  const shown = window.subarray(0, fits);
  let bytes = 0;
  let lines = 0;
  while (lines < limits.maxLines) {
    const newline = shown.indexOf(NEWLINE, bytes);
    if (newline === -1) break;
    bytes = newline + 1;
    lines++;
  }
  if (lines === limits.maxLines) return { bytes, lines, partial: false };
  if (atEnd && fits === window.length) {
    return { bytes: fits, lines: lines + (fits > bytes ? 1 : 0), partial: false };
  }
  if (lines > 0) return { bytes, lines, partial: false };
  return { bytes: fits === window.length ? fits : cutBefore(window, fits), lines: 0, partial: true };
}
