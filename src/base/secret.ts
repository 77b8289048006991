// A value that must not be shown: text, JSON and `inspect` show a placeholder.
import { inspect } from 'node:util';

export class Secret {
  #value: string;
  readonly #read: () => string | null;

  /** @param read reads the value from its source again; null for an unusable value */
  constructor(value: string, read: () => string | null = () => null) {
    this.#value = value;
    this.#read = read;
  }

  /**
   * Reads the value from its file again after a refusal: it may have been rotated. Before a refusal the file
   * is left alone: it may be half written, and the old value still works.
   */
  readAgain(): void {
    this.#value = this.#read() ?? this.#value;
  }

  /** The value itself. Call it where the value is used, never where it is stored. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}
