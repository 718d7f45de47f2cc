// Finds the sentences in a file of the server that people read in the app: the messages of errors and notices, what is
// wrong with settings, and everything marked with say`…`. Placeholders get the names of the values. The type `Sentence`
// requires the mark for texts that are not messages of errors.
import ts from 'typescript';

/** Folders whose errors reach the app. Errors for programs, models and the command line stay English unless marked. */
const speakingParts =
  /^(accounts|app|changes|cluster|config|content|domain|engines|folders|gateway|push|stores\/sql|doors\/http(?!\/(kitchen|notes|openapi)\/))[/\\]/;
/** Properties of the configuration's problems. */
const ofProblems = /^(error|hint|message)$/;
/** Checks of a schema that take a message last. */
const ofChecks = /^(refine|regex)$/;

/** Why the `claude` program fails while people use it. The driver's other errors are for programmers. */
const failuresOfProgram = new Set([
  'breaker_open',
  'control_timeout',
  'crashed',
  'no_exit',
  'program_not_found',
  'program_too_old',
  'start_failed',
  'stream_ended',
  'turn_silent',
]);

/** @returns {string[]} */
export function findSentences(file, code) {
  const isConfig = /^config[/\\]/.test(file);
  const isSpeaking = speakingParts.test(file);
  return textsFrom(file, code, (node, found) => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'say')
      found.push(...sentencesIn(node.template));
    else if (!isSpeaking) {
      // Only what is marked.
    } else if (ts.isNewExpression(node) && node.expression.getText() === 'ParleyError')
      found.push(...sentencesIn(node.arguments?.[1]));
    else if (ts.isPropertyAssignment(node) && ofProblems.test(node.name.getText())) {
      if (isConfig || isNotice(node.parent)) found.push(...sentencesIn(node.initializer));
    } else if (isConfig && ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      if (ofChecks.test(node.expression.name.text)) found.push(...sentencesIn(node.arguments.at(-1)));
    }
  });
}

/**
 * The driver knows nothing about catalogs, but the server shows why the program failed. Wherever the driver says that, the
 * message comes after the code of the error.
 * @returns {string[]}
 */
export function findSentencesOfDriver(file, code) {
  return textsFrom(file, code, (node, found) => {
    if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return;
    const [kind, message] = node.arguments ?? [];
    const isReported =
      kind && ts.isStringLiteral(kind)
        ? failuresOfProgram.has(kind.text)
        : node.expression.getText() === 'ClaudeCliError';
    if (isReported) found.push(...sentencesIn(message));
  });
}

function textsFrom(file, code, collect) {
  const tree = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const found = [];
  const visit = (node) => {
    collect(node, found);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  // Texts with braces explain JSON. The app has forms for that.
  return found.flatMap(({ text, literal }) => (isText(literal) && !/[{}]/.test(literal) ? [text] : []));
}

/** The sentences that an expression may evaluate to. `literal` is the text without its placeholders. */
function sentencesIn(node) {
  if (!node) return [];
  if (ts.isStringLiteralLike(node)) return [{ text: node.text, literal: node.text }];
  if (ts.isParenthesizedExpression(node)) return sentencesIn(node.expression);
  if (ts.isConditionalExpression(node))
    return [...sentencesIn(node.whenTrue), ...sentencesIn(node.whenFalse)];
  if (ts.isTemplateExpression(node)) return [templateOf(node)];
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return [];
  return sentencesIn(node.left).flatMap((left) =>
    sentencesIn(node.right).map((right) => ({
      text: left.text + right.text,
      literal: left.literal + right.literal,
    })),
  );
}

function templateOf({ head, templateSpans }) {
  const taken = new Set();
  const text = templateSpans.map(({ expression, literal }) => {
    let name = nameOf(expression);
    while (taken.has(name)) name += '2';
    taken.add(name);
    return `{${name}}${literal.text}`;
  });
  return {
    text: head.text + text.join(''),
    literal: head.text + templateSpans.map(({ literal }) => literal.text).join(''),
  };
}

/** `most`, `path` in `root.path`, `names` in `names.join(', ')`, `inTime` in `inTime(seconds)`. */
function nameOf(node) {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isBinaryExpression(node)) return nameOf(node.left);
  if (!ts.isCallExpression(node)) return 'value';
  const { expression, arguments: values } = node;
  if (/^(Math|String\b)/.test(expression.getText())) return nameOf(values[0]);
  return nameOf(ts.isPropertyAccessExpression(expression) ? expression.expression : expression);
}

function isText(literal) {
  return /\p{L}{2}/u.test(literal);
}

function isNotice(node) {
  return /\btype: 'notice'/.test(node.getText());
}
