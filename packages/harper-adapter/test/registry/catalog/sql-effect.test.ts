import { describe, expect, it } from 'vitest';
import { LONGEST_SQL, sqlEffect } from '../../../src/registry/catalog/sql-effect.js';

describe('sqlEffect', () => {
  it.each([
    ['SELECT name FROM data.dog WHERE age > 3 ORDER BY name;', 'read'],
    ['select count(*) from data.dog d join data.owner o on d.owner = o.id', 'read'],
    ['select * from data.dog where id in (select dog from data.walk)', 'read'],
    ['select lower(name), count(*) from data.dog, data.owner group by owner, lower(name)', 'read'],
    ["INSERT INTO data.dog (id, name) VALUES (1, 'Harper')", 'write'],
    ["INSERT INTO `data`.`dog` (id, name) VALUES (1, upper('Harper'))", 'write'],
    ['insert into data.dog select * from data.puppy', 'write'],
    ["UPDATE data.dog SET name = 'Penny' WHERE id = 1", 'write'],
    ['DELETE FROM data.dog WHERE id = 1', 'destructive'],
    ['DROP TABLE data.dog', 'destructive'],
    ['TRUNCATE TABLE data.dog', 'destructive'],
    ['select 1; delete from data.dog', 'destructive'],
    ['select * into data.copy from data.dog', 'destructive'],
    ["select * from CSV('/etc/passwd')", 'destructive'],
    ['select * from "file.json"', 'destructive'],
    ["select * from data.dog, CSV('/etc/passwd')", 'destructive'],
    ["select * from (select 1 from data.dog where id = 1) d, TXT('/etc/passwd')", 'destructive'],
    ["select * from data.dog, [TXT]('/etc/passwd')", 'destructive'],
    ["select * from `TXT`('/etc/passwd')", 'destructive'],
    ["select * from/**/TXT('/etc/passwd')", 'destructive'],
    ["select * from data.dog join --\nTXT('/etc/passwd')", 'destructive'],
    ["select * from (TXT('/etc/passwd'))", 'destructive'],
    ["select name->constructor->constructor('code') from data.dog", 'destructive'],
    ['update data.dog set name = name->trim()', 'destructive'],
    ['select ``require("fs")`` from data.dog', 'destructive'],
    ['select x => 1 from data.dog', 'destructive'],
    ["select * from data.dog where note = 'do not delete'", 'destructive'],
    ['/* select */ delete from data.dog', 'destructive'],
    ['explain select 1', 'destructive'],
    ['', 'destructive'],
    [7, 'destructive'],
  ])('%j: %s', (sql, effect) => {
    expect(sqlEffect(sql)).toBe(effect);
  });

  it('takes no statement that is too long to look through', () => {
    expect(LONGEST_SQL).toBeLessThanOrEqual(10_000);
  });
});
