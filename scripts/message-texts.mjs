// Finds the texts in a file of the web app: `t('…')` and `<Trans message="…" />`.
import ts from 'typescript';

/** @returns {{ texts: string[], problems: string[] }} */
export function findTexts(file, code) {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, kind);
  const texts = [];
  const problems = [];
  const complain = (node, sentence) => {
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
    problems.push(`${file}:${line + 1}: ${sentence}`);
  };
  const visit = (node, isRun) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 't') {
      const [text] = node.arguments;
      if (text && ts.isStringLiteralLike(text)) texts.push(text.text);
      else complain(node, 't() takes a literal, so that the text can be found.');
      if (isRun) complain(node, 't() runs when the module loads, before the language is known.');
    }
    if (
      (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) &&
      node.tagName.getText() === 'Trans'
    ) {
      const text = attribute(node, 'message');
      if (text === undefined) complain(node, '<Trans> takes its message as a literal.');
      else texts.push(text);
    }
    ts.forEachChild(node, (child) => visit(child, isRun && !ts.isFunctionLike(node)));
  };
  visit(tree, true);
  return { texts, problems };
}

function attribute(element, name) {
  const found = element.attributes.properties.find((one) => one.name?.getText() === name);
  const value = found?.initializer;
  if (!value) return undefined;
  if (ts.isStringLiteral(value)) return value.text;
  const inner = ts.isJsxExpression(value) ? value.expression : undefined;
  return inner && ts.isStringLiteralLike(inner) ? inner.text : undefined;
}
