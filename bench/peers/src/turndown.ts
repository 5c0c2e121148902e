import TurndownService from 'turndown';
import type { ConverterModule } from '../../src/http/converter-module.ts';

const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
service.remove(['script', 'style', 'nav', 'footer']);

export const convert: ConverterModule['convert'] = (html) => service.turndown(html);
