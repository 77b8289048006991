// The dashboards and the provisioning of deploy/grafana as they lie in the repository.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const folder = fileURLToPath(new URL('../../../deploy/grafana/', import.meta.url));

const datasource = z.object({ type: z.string(), uid: z.string() });
const target = z.object({
  datasource,
  editorMode: z.literal('code'),
  format: z.enum(['table', 'time_series']),
  rawQuery: z.literal(true),
  rawSql: z.string(),
  refId: z.string(),
});
const panel = z.object({
  id: z.number().int().positive(),
  type: z.string(),
  title: z.string().min(1),
  description: z.string().min(1).optional(),
  datasource: datasource.optional(),
  gridPos: z.object({ h: z.number().int(), w: z.number().int(), x: z.number().int(), y: z.number().int() }),
  targets: z.array(target).optional(),
  fieldConfig: z.unknown().optional(),
});
const variable = z.object({
  name: z.string(),
  label: z.string().min(1),
  description: z.string().min(1),
  type: z.enum(['query', 'custom']),
  query: z.string(),
  datasource: datasource.optional(),
  multi: z.boolean(),
  includeAll: z.boolean(),
  allValue: z.string().optional(),
  current: z.object({ value: z.union([z.string(), z.array(z.string())]).optional() }),
});
const dashboard = z.object({
  uid: z.string(),
  title: z.string(),
  description: z.string().min(1),
  id: z.null(),
  schemaVersion: z.number(),
  tags: z.array(z.string()),
  links: z.array(z.object({ type: z.string(), tags: z.array(z.string()) })),
  panels: z.array(panel),
  templating: z.object({ list: z.array(variable) }),
});

export type Variable = z.infer<typeof variable>;
export interface Board extends z.infer<typeof dashboard> {
  readonly file: string;
  readonly text: string;
}

export function readBoards(): readonly Board[] {
  return readdirSync(`${folder}dashboards`).map((file) => {
    const text = readProvisioning(`dashboards/${file}`);
    return { file, text, ...dashboard.parse(JSON.parse(text)) };
  });
}

/** @param path below deploy/grafana */
export function readProvisioning(path: string): string {
  return readFileSync(`${folder}${path}`, 'utf8');
}
