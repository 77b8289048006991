#!/usr/bin/env node
// Starts the compiled server of a clone: `npm run build` writes it.
import '../../../dist/packages/mcp/src/main.js';
