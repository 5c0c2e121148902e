import { decodeText } from './classify-body.js';
import { type ConvertedPage, pageToMarkdown } from './page-to-markdown.js';

/** A page as its server sent it. */
export interface EncodedPage {
  readonly bytes: Uint8Array;
  readonly charset: string;
  readonly truncated: boolean;
  readonly url: string;
  readonly maxLength: number;
}

/** Decodes and converts a page, on the thread it is called on. */
export function convertEncodedPage({
  bytes,
  charset,
  truncated,
  url,
  maxLength,
}: EncodedPage): ConvertedPage {
  return pageToMarkdown({ html: decodeText(bytes, charset, truncated), url, maxLength });
}
