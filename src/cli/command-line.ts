// One command, from argv and the environment to the exit code: only `runCommandLine` reads and sets them.
import { Command, CommanderError } from 'commander';
import { onStopSignals } from '../base/lifecycle.ts';
import { createOutput } from '../base/output.ts';
import { type CommandSpec, commands, programNotes } from './commands.ts';
import {
  type CommandContext,
  describeFailure,
  type ExitCode,
  exitCodeOf,
  exitCodes,
  packageVersion,
} from './setup/command-scope.ts';

/** Parts of the ten seconds that a stop may take, after those of command-scope.ts and commands/run.ts. */
const endWithinMs = 1_000;
const writtenWithinMs = 500;
/** A pager may wait for user input. The command holds nothing by then, and a signal ends the wait. */
const readWithinMs = 60 * 60_000;

/** Commands that run until they are stopped: their output is not a result. */
const lasting: readonly string[] = ['run', 'serve', 'sandbox', 'demo'];

/** Bytes of the log that are buffered for a slow reader or a full disk. */
const maxWaitingLog = 1_048_576;

/** @param early the signals heard so far, which the command takes over */
export async function runCommandLine(early: CommandContext['early']): Promise<void> {
  const isLasting = lasting.includes(process.argv[2] ?? '');
  const stdout = createOutput(process.stdout, isLasting ? maxWaitingLog : 0);
  const stderr = createOutput(process.stderr, maxWaitingLog);
  const stop = new AbortController();
  onStopSignals(stop, () => undefined);
  const code = await runCommand(process.argv.slice(2), {
    env: process.env,
    isTerminal: process.stdout.isTTY === true,
    stdout,
    stderr,
    exitAtOnce: (status) => process.exit(status),
    early,
  });
  const fault = await stdout.settle(isLasting ? writtenWithinMs : readWithinMs, stop.signal);
  // A reader such as `head` closes the pipe when it has enough: that is not a failure.
  const isLost = !isLasting && fault !== null && fault !== 'EPIPE';
  if (isLost)
    stderr.write(
      `Standard output could not be written (${fault === 'EAGAIN' ? 'nobody read it' : fault}).\n`,
    );
  await stderr.settle(writtenWithinMs);
  process.exitCode = isLost ? exitCodes.failed : code;
  // Handles that a library left open must not keep the process alive.
  setTimeout(() => process.exit(), endWithinMs).unref();
}

/**
 * Runs the command that the arguments name.
 *
 * @param args without the program's own name
 */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  let code: ExitCode = exitCodes.ok;
  const program = new Command('custody-mirror')
    .description('Mirrors a digital-asset custody account into PostgreSQL, and keeps every change.')
    .version(packageVersion())
    .showHelpAfterError('(add --help for usage)')
    .addHelpText('after', programNotes)
    // It throws instead of exiting the process; its commands inherit that, and the streams.
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
    });
  const add = (parent: Command, { name, about, args = [], options = [], notes, ...spec }: CommandSpec) => {
    const command = parent.command(name).description(about);
    for (const argument of args) command.addArgument(argument);
    for (const option of options) command.addOption(option);
    if (notes !== undefined) command.addHelpText('after', notes);
    for (const below of spec.commands ?? []) add(command, below);
    const { load } = spec;
    if (load === undefined) return;
    // Commander passes itself after arguments and options.
    command.action(async (...values: unknown[]) => {
      code = await (await load())(context, ...values.slice(0, -1));
    });
  };
  for (const spec of commands) add(program, spec);
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.configuration;
    context.stderr.write(`${describeFailure(error)}\n`);
    return exitCodeOf(error);
  }
}
