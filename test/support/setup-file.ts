// Runs before each test file.
import { registerFileCleanup } from './cleanup.ts';

registerFileCleanup();
