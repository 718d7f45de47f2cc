// Finds the requirement ids that tests cite in square brackets at the end of their titles. Reads the sources, so
// it also sees tests that have not run.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface Citation {
  readonly id: string;
  /** Path of the test file, relative to the root of the repository. */
  readonly file: string;
  readonly title: string;
}

/** The citations of every test file in the repository. */
export function collectCitations(root: string): Citation[] {
  return testFiles(root).flatMap((file) => citationsIn(file, readFileSync(join(root, file), 'utf8')));
}

/** The test files that vitest runs, as paths relative to `root`. */
export function testFiles(root: string): string[] {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/test`);
  return ['test', ...packages]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.test.ts'))
        .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
    )
    .sort();
}

/** The citations of one test file. A skipped test proves nothing, so its citations do not count. */
export function citationsIn(file: string, source: string): Citation[] {
  const citations: Citation[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTestCall(node.expression)) {
      if (isSkipped(node.expression)) return;
      const title = node.arguments[0] && literalText(node.arguments[0]);
      if (title !== undefined) citations.push(...citedIds(title).map((id) => ({ id, file, title })));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest));
  return citations;
}

/** The ids at the end of a title: `… [a.b.c] [d.e.f]` or `… [a.b.c, d.e.f]`. */
export function citedIds(title: string): string[] {
  const brackets = /(?:\s*\[[^\]]*\])+$/.exec(title.trimEnd())?.[0] ?? '';
  const words = brackets.split(/[[\],\s]+/).filter((word) => word !== '');
  // Other brackets, such as `[1, 2]`, are part of the sentence.
  return words.every((word) => /^\w+(\.[\w-]+)+$/.test(word)) ? words : [];
}

/** `it(…)`, `test.concurrent(…)`, `describe.each(rows)(…)` and the like. */
function isTestCall(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return ['it', 'test', 'describe'].includes(callee.text);
  if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee))
    return isTestCall(callee.expression);
  return ts.isTaggedTemplateExpression(callee) && isTestCall(callee.tag);
}

function isSkipped(callee: ts.Expression): boolean {
  if (ts.isPropertyAccessExpression(callee)) {
    return ['skip', 'todo'].includes(callee.name.text) || isSkipped(callee.expression);
  }
  return ts.isCallExpression(callee) && isSkipped(callee.expression);
}

/** The text of a string, a template or a `+` of both; values that are only known at run time become `…`. */
function literalText(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join('');
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return `${literalText(node.left) ?? '…'}${literalText(node.right) ?? '…'}`;
  }
  return undefined;
}
