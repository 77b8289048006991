// One command, from argv and the environment to the exit code: only `runCommandLine` reads and sets them.
import { type Command, CommanderError } from 'commander';
import { createProgram } from './program.ts';
import type { CommandContext } from './setup/command-scope.ts';
import { describeFailure, type ExitCode, exitCodeOf, exitCodes } from './setup/exit.ts';

/** A part of the ten seconds that a stop may take, after those of command-scope.ts and commands/run.ts. */
const endWithinMs = 1_000;

/** Commands that go on until they are stopped. */
const lasting: readonly string[] = ['run', 'sandbox', 'demo'];

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
  // A reader such as `head` closes the pipe when it has enough: that is no failure. A command that ends by
  // itself goes on, for its exit code.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE') process.exit(exitCodes.failed);
      if (lasting.includes(process.argv[2] ?? '')) process.exit(exitCodes.ok);
    });
  }
  process.exitCode = await runCommand(process.argv.slice(2), context);
  // What a library left open must not keep the command from ending.
  setTimeout(() => process.exit(), endWithinMs).unref();
}

/**
 * Does what the arguments say.
 *
 * @param args without the program's own name
 */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  let code: ExitCode = exitCodes.ok;
  const program = createProgram(context, async (command) => {
    code = await command;
  });
  connect(program, context);
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.configuration;
    context.stderr.write(`${describeFailure(error)}\n`);
    return exitCodeOf(error);
  }
}

/** Has the command and those below it write to the streams, and throw where they would end the process. */
function connect(command: Command, context: CommandContext): void {
  command.exitOverride();
  command.configureOutput({
    writeOut: (text) => context.stdout.write(text),
    writeErr: (text) => context.stderr.write(text),
  });
  for (const below of command.commands) connect(below, context);
}
