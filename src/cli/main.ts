#!/usr/bin/env node
// The entry point: the one place that reads argv and the environment and sets the exit code.
import { CommanderError } from 'commander';
import { demoCommand } from './command-demo.ts';
import { doctorCommand } from './command-doctor.ts';
import { grantCommand } from './command-grant.ts';
import { migrateCommand } from './command-migrate.ts';
import { runCommand } from './command-run.ts';
import { sandboxCommand } from './command-sandbox.ts';
import { statusCommand } from './command-status.ts';
import { syncCommand } from './command-sync.ts';
import { describeFailure, type ExitCode, exitCodeOf, exitCodes } from './exit.ts';
import { createProgram } from './program.ts';
import type { CommandContext } from './surroundings.ts';

const context: CommandContext = {
  env: process.env,
  isTerminal: process.stdout.isTTY === true,
  stdout: process.stdout,
  stderr: process.stderr,
  exitAtOnce: (code) => process.exit(code),
};

async function main(): Promise<void> {
  const ending = async (command: Promise<ExitCode>) => {
    process.exitCode = await command;
  };
  const program = createProgram({
    run: () => ending(runCommand(context)),
    sync: (wanted, options) => ending(syncCommand(context, wanted, options)),
    migrate: ({ check }) => ending(migrateCommand(context, check)),
    grant: (role, { check }) => ending(grantCommand(context, role, check)),
    doctor: () => ending(doctorCommand(context)),
    status: ({ json }) => ending(statusCommand(context, json)),
    sandbox: (options) => ending(sandboxCommand(context, options)),
    demo: (options) => ending(demoCommand(context, options)),
  });
  program.exitOverride();
  for (const command of program.commands) command.exitOverride();
  try {
    await program.parseAsync(process.argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.configuration;
      return;
    }
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}

// A reader such as `head` that has seen enough closes the pipe; that is no failure of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.failed),
  );
}
await main();
// Whatever a library left open must not keep a command from ending; everything of ours has been released.
setTimeout(() => process.exit(), 2_000).unref();
