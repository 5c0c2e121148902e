import { defineTool } from '@harperfast/agent-core/contracts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { rankTools } from '../../../src/registry/search/rank-tools.js';

const tool = (name: string, description = '') =>
  defineTool({
    name,
    description,
    input: z.strictObject({}),
    effect: 'read',
    execute: async () => ({ text: '' }),
  });
const tools = [
  tool('drop_table', 'Removes a table with all its records.'),
  tool('describe_table', 'Shows the attributes of a table.'),
  tool('add_node', 'Joins another server to the cluster.'),
  tool('getInvoiceTotal', 'Adds up what a customer owes.'),
];
const find = (query: string) => rankTools(tools, query).map(({ name }) => name);

describe('rankTools', () => {
  it.each([
    ['remove tables', ['drop_table', 'describe_table']],
    ['cluster', ['add_node']],
    ['invoice', ['getInvoiceTotal']],
    ['DESCRIBE-table', ['describe_table', 'drop_table']],
    ['drop_table', ['drop_table', 'describe_table']],
    ['weather', []],
    ['.*[', []],
  ])('finds by the words of names and descriptions: %s', (query, names) => {
    expect(find(query)).toEqual(names);
  });

  it('does not depend on the order of the tools', () => {
    const [first, ...rest] = tools;
    const turned = rankTools([...rest, ...(first === undefined ? [] : [first])], 'table').map(
      ({ name }) => name,
    );
    expect(turned).toEqual(find('table'));
  });
});
