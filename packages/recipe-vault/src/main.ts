#!/usr/bin/env node
// The `parley-recipe-vault` command: the MCP server over stdin and stdout, on one database file. It exits when its
// client closes stdin. Only the protocol goes to stdout.
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { RecipeError } from './errors.ts';
import { openRecipes } from './recipes.ts';
import { seedRecipes } from './samples.ts';
import { createRecipeServer } from './server.ts';
import { version } from './version.ts';

const usage = `The recipe vault: a recipe collection as an MCP server over stdio.

Usage: parley-recipe-vault --database <file> [--samples]

  --database <file>   the SQLite file with the recipes; created if it does not exist
  --samples           add a few sample recipes to an empty database
  -h, --help, -v, --version`;

try {
  await main(process.argv.slice(2));
} catch (thrown) {
  const message = thrown instanceof RecipeError ? thrown.message : String(thrown);
  process.stderr.write(`parley-recipe-vault: ${message}\n`);
  process.exitCode = 1;
}

async function main(args: readonly string[]): Promise<void> {
  const { database, samples, ...asked } = parse(args);
  if (asked.help) return print(usage);
  if (asked.version) return print(version);
  if (!database) throw new RecipeError('invalid', 'The database is missing: --database <file>. See --help.');

  const recipes = await openRecipes({ file: database });
  if (samples) await seedRecipes(recipes);
  const server = createRecipeServer({
    recipes,
    onDefect: (error) => process.stderr.write(`parley-recipe-vault: ${String(error)}\n`),
  });
  const stop = async () => {
    await server.close();
    await recipes.close();
  };
  process.stdin.once('end', () => void stop());
  process.once('SIGTERM', () => void stop());
  process.once('SIGINT', () => void stop());
  await server.connect(new StdioServerTransport());
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        database: { type: 'string' },
        samples: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', short: 'v', default: false },
      },
    }).values;
  } catch (thrown) {
    const problem = (thrown as Error).message.replace(/\.?$/, '.');
    throw new RecipeError('invalid', `${problem} See --help.`);
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
