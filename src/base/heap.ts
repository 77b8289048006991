// Limits the growth of the JavaScript heap. Invariant: garbage of a first sweep is collected before it fills
// the mirror's memory limit (docs/container.md).
import { setFlagsFromString } from 'node:v8';

/**
 * Collects the heap earlier. Call it after all modules are loaded: loading grows the young generation to the
 * size that a sweep needs.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=100');
}
