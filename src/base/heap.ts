// How the heap of JavaScript grows. Invariant: what a first sweep leaves behind is collected before it fills
// the memory that the mirror is given (docs/container.md).
import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap grow less before it is collected. To be called after all modules are loaded, for which the
 * young generation grows to what a sweep needs.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=150');
}
