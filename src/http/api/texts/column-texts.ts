// What each column means, as the comments of the database say it.
import { commonTexts } from './common-texts.ts';
import { ownTexts } from './own-texts.ts';

const common = parse(commonTexts);
const own = parse(ownTexts);

/** @param table `schema.table` */
export function columnText(table: string, column: string): string | undefined {
  return own.get(`${table}.${column}`) ?? common.get(column);
}

function parse(texts: string): ReadonlyMap<string, string> {
  const lines = texts.trim().split('\n');
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );
}
