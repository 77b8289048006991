// One command, from argv and the environment to the exit code: `runCommandLine` is the one place that reads the former and sets
// the latter.
import { type Command, CommanderError } from 'commander';
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
  const ending = async (command: Promise<ExitCode>) => {
    code = await command;
  };
  // Each command loads what it needs: to load all takes longer than most commands do.
  const program = createProgram({
    run: async () => ending((await import('./commands/run.ts')).runCommand(context)),
    sync: async (wanted, options) =>
      ending((await import('./commands/sync.ts')).syncCommand(context, wanted, options)),
    migrate: async ({ check }) =>
      ending((await import('./commands/migrate.ts')).migrateCommand(context, check)),
    grant: async (role, options) =>
      ending((await import('./commands/grant.ts')).grantCommand(context, role, options)),
    key: {
      create: async (name, options) =>
        ending((await import('./commands/key.ts')).keyCreateCommand(context, name, options)),
      list: async ({ json }) => ending((await import('./commands/key.ts')).keyListCommand(context, json)),
      revoke: async (wanted) => ending((await import('./commands/key.ts')).keyRevokeCommand(context, wanted)),
    },
    doctor: async () => ending((await import('./commands/doctor.ts')).doctorCommand(context)),
    status: async ({ json }) => ending((await import('./commands/status.ts')).statusCommand(context, json)),
    sandbox: async (options) =>
      ending((await import('./commands/sandbox.ts')).sandboxCommand(context, options)),
    demo: async (options) => ending((await import('./commands/demo.ts')).demoCommand(context, options)),
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
