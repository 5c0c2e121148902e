import { pageToMarkdown } from '../../../packages/tools-http/src/page/page-to-markdown.js';
import type { ConverterModule } from './converter-module.js';

/** The whole page, for the peers have no limit either. */
export const convert: ConverterModule['convert'] = (html) =>
  pageToMarkdown({ html, url: 'https://example.com/', maxLength: Infinity }).markdown;
