// One command of the command line in the process of the test, with streams and an environment of its own:
// what it prints, its exit code and what it writes are those of the built program, without the half second
// that a process takes to start. What a process alone can show (signals, its end, its environment, a
// terminal) needs `runProcess`.
import { runCommand } from '../../src/cli/command-line.ts';
import type { Exit, ProcessOptions } from './process.ts';

export async function runHere(
  args: readonly string[],
  { env = {} }: Pick<ProcessOptions, 'env'> = {},
): Promise<Exit & { readonly stdout: string; readonly stderr: string }> {
  let stdout = '';
  let stderr = '';
  const collect = (text: string) => {
    stderr += text;
  };
  const code = await runCommand(args, {
    env,
    isTerminal: false,
    stdout: {
      write: (text) => {
        stdout += text;
      },
    },
    stderr: { write: collect },
    exitAtOnce: (status) => {
      throw new Error(`the command ended the process with exit code ${status}`);
    },
    early: { signal: new AbortController().signal, release: () => undefined },
  });
  return { code, signal: null, stdout, stderr };
}
