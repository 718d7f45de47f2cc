// Talk without tools: greetings, thanks, pictures, files, and long or formatted answers that show streaming.
import type { DocumentBlock } from '../../anthropic/messages-wire.ts';
import { sayInWords } from '../../anthropic/reply.ts';
import type { Intent } from '../intent.ts';
import { fence, whatIAm } from '../phrasing.ts';

const maxNumbers = 2_000;

const greet: Intent = {
  name: 'greet',
  example: 'Hello',
  needs: [],
  next(scene) {
    if (!/^\s*(hello|hi|hey|good (morning|evening|day)|who are you)\b/i.test(scene.said)) return undefined;
    return [
      sayInWords(
        `Hello! ${whatIAm}. The tools I call are real, though. Ask me “What can you do?” to see what to try.`,
      ),
    ];
  },
};

const thank: Intent = {
  name: 'be thanked',
  example: 'Thanks',
  needs: [],
  next: (scene) =>
    /^\s*(thanks|thank you)\b/i.test(scene.said) ? [sayInWords("You're welcome!")] : undefined,
};

const lookAtPicture: Intent = {
  name: 'look at a picture',
  example: 'Send a photo',
  needs: [],
  next(scene) {
    const [picture] = scene.images;
    if (picture === undefined) return undefined;
    const kind = picture.source.media_type?.replace('image/', '').toUpperCase() ?? 'linked';
    const kilobytes = Math.ceil(Buffer.byteLength(picture.source.data ?? '', 'base64') / 1024);
    return [
      sayInWords(
        `I got your picture: a ${kind} image of about ${kilobytes} KB. ${whatIAm}, so I can't see what's in it.`,
      ),
    ];
  },
};

const readFiles: Intent = {
  name: 'read a file',
  example: 'Attach a PDF or a text file',
  needs: [],
  next(scene) {
    if (scene.documents.length === 0) return undefined;
    return [sayInWords(scene.documents.map(aboutDocument).join('\n\n'))];
  },
};

const shownLines = 3;

function aboutDocument({ title, source }: DocumentBlock): string {
  const name = `**${title ?? 'your file'}**`;
  const data = source.data ?? '';
  if (source.type !== 'text') {
    const kilobytes = Math.ceil(Buffer.byteLength(data, 'base64') / 1024);
    return `I got ${name}: a PDF of about ${kilobytes} KB. ${whatIAm}, so I can't read what's in it.`;
  }
  const lines = data.replace(/\n$/, '').split('\n');
  const words = data.match(/\S+/g)?.length ?? 0;
  const start = lines.slice(0, shownLines).join('\n').slice(0, 500);
  return `I got ${name}: ${lines.length} lines, ${words} words. It begins:\n\n${fence(start, 'text')}`;
}

const countUp: Intent = {
  name: 'count',
  example: 'Count to 50',
  needs: [],
  next(scene) {
    const to = /\bcount (?:up )?to (\d+)/i.exec(scene.said)?.[1];
    if (to === undefined) return undefined;
    const numbers = Array.from({ length: Math.min(Number(to), maxNumbers) }, (_, at) => at + 1);
    return [sayInWords(`${numbers.join(', ')}.`)];
  },
};

const showFormatting: Intent = {
  name: 'show formatting',
  example: 'Show me some Markdown',
  needs: [],
  next(scene) {
    if (!/\b(markdown|formatting)\b/i.test(scene.said)) return undefined;
    const code = fence("const greeting: string = 'Hello';\nconsole.log(greeting);", 'ts');
    const table = '| Dish | Minutes |\n|---|---:|\n| Soup | 45 |\n| Bread | 90 |';
    return [
      sayInWords(
        `## A heading\n\nSome **bold** and some *italic* text.\n\n- [x] done\n- [ ] open\n\n${table}\n\n${code}\n\nThat's all.`,
      ),
    ];
  },
};

export const smallTalkIntents: readonly Intent[] = [countUp, showFormatting, greet, thank];
export const attachmentIntents: readonly Intent[] = [lookAtPicture, readFiles];
