import { NodeHtmlMarkdown } from 'node-html-markdown';
import type { ConverterModule } from '../../src/http/converter-module.ts';

const converter = new NodeHtmlMarkdown({ ignore: ['script', 'style', 'nav', 'footer'] });

export const convert: ConverterModule['convert'] = (html) => converter.translate(html);
