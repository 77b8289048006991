// One command, from argv and the environment to the exit code: the one place that reads the former and sets the latter.
import { CommanderError } from 'commander';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { grantCommand } from './commands/grant.ts';
import { migrateCommand } from './commands/migrate.ts';
import { runCommand } from './commands/run.ts';
import { sandboxCommand } from './commands/sandbox.ts';
import { statusCommand } from './commands/status.ts';
import { syncCommand } from './commands/sync.ts';
import { createProgram } from './program.ts';
import type { CommandContext } from './setup/command-scope.ts';
import { describeFailure, type ExitCode, exitCodeOf, exitCodes } from './setup/exit.ts';

/** A part of the ten seconds that a stop may take, after those of command-scope.ts and commands/run.ts. */
const endWithinMs = 1_000;

/** @param early the signals heard so far, which the command takes over */
export async function runCommandLine(early: CommandContext['early']): Promise<void> {
  const context: CommandContext = {
    env: process.env,
    isTerminal: process.stdout.isTTY === true,
    stdout: process.stdout,
    stderr: process.stderr,
    exitAtOnce: (code) => process.exit(code),
    early,
  };
  // A reader such as `head` closes the pipe when it has enough: that is no failure.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) =>
      process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.failed),
    );
  }
  await runProgram(context);
  // What a library left open must not keep the command from ending.
  setTimeout(() => process.exit(), endWithinMs).unref();
}

async function runProgram(context: CommandContext): Promise<void> {
  const ending = async (command: Promise<ExitCode>) => {
    process.exitCode = await command;
  };
  const program = createProgram({
    run: () => ending(runCommand(context)),
    sync: (wanted, options) => ending(syncCommand(context, wanted, options)),
    migrate: ({ check }) => ending(migrateCommand(context, check)),
    grant: (role, options) => ending(grantCommand(context, role, options)),
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
