// Finds the texts in a file of the web app, `t('…')` and `<Trans message="…" />`, and those that people would see in
// English only: literals in JSX, in attributes that are read aloud or shown, and in calls that show their argument.
import ts from 'typescript';

/** Attributes and properties that people read. */
const shown =
  /^(aria-(label|description|roledescription|valuetext)|alt|caption|description|does|empty|hint|label|placeholder|title)$/;
/** Functions that show their argument. */
const showing = /^(showNotice|usePageTitle)$/;
/** The same in every language. */
const properNames = new Set(['Parley', 'Claude Code', 'JSON', 'Alt+']);

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
  const refuseLiterals = (expression) => {
    for (const literal of literalsOf(expression))
      if (isText(literal.text)) complain(literal, `"${literal.text.trim()}" is not translated. Use t().`);
  };
  const visit = (node, isRun) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const [text] = node.arguments;
      if (node.expression.text === 't') {
        if (text && ts.isStringLiteralLike(text)) texts.push(text.text);
        else complain(node, 't() takes a literal, so that the text can be found.');
        if (isRun) complain(node, 't() runs when the module loads, before the language is known.');
      } else if (showing.test(node.expression.text)) refuseLiterals(text);
    } else if (isElement(node) && node.tagName.getText() === 'Trans') {
      const text = messageOf(node);
      if (text === undefined) complain(node, '<Trans> takes its message as a literal.');
      else texts.push(text);
    } else if (ts.isJsxText(node)) refuseLiterals(node);
    else if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) refuseLiterals(node.expression);
    else if (ts.isJsxAttribute(node) && shown.test(node.name.getText())) refuseLiterals(node.initializer);
    else if (ts.isPropertyAssignment(node) && shown.test(node.name.getText()))
      refuseLiterals(node.initializer);
    ts.forEachChild(node, (child) => visit(child, isRun && !ts.isFunctionLike(node)));
  };
  visit(tree, true);
  return { texts, problems };
}

function isElement(node) {
  return ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node);
}

function messageOf(element) {
  const attribute = element.attributes.properties.find((one) => one.name?.getText() === 'message');
  const value = attribute?.initializer;
  const literal = value && ts.isJsxExpression(value) ? value.expression : value;
  return literal && ts.isStringLiteralLike(literal) ? literal.text : undefined;
}

/** The literals that an expression may evaluate to, or contribute. */
function literalsOf(node) {
  if (!node) return [];
  if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) return [node];
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) return literalsOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)];
  if (ts.isTemplateExpression(node))
    return [
      node.head,
      ...node.templateSpans.flatMap(({ expression, literal }) => [...literalsOf(expression), literal]),
    ];
  if (!ts.isBinaryExpression(node)) return [];
  switch (node.operatorToken.kind) {
    case ts.SyntaxKind.AmpersandAmpersandToken:
      return literalsOf(node.right);
    case ts.SyntaxKind.BarBarToken:
    case ts.SyntaxKind.QuestionQuestionToken:
    case ts.SyntaxKind.PlusToken:
      return [...literalsOf(node.left), ...literalsOf(node.right)];
    default:
      return [];
  }
}

function isText(literal) {
  return /\p{L}{2}/u.test(literal) && !properNames.has(literal.trim());
}
