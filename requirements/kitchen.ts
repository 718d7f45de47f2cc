// What Parley promises of the kitchen assistant: SSE chat, MCP tools, recipes, page, login.
import type { Requirement } from './requirement.ts';

export const kitchen: readonly Requirement[] = [
  // Chat
  {
    id: 'kitchen.chat.message',
    seed: 3,
    heading: 'Scenario: Send message and receive response',
    promise: "A message to `POST /api/chat` is answered with the model's response as a stream.",
  },
  {
    id: 'kitchen.chat.image',
    seed: 3,
    heading: 'Scenario: Send message with image attachment',
    promise: 'An image sent with the message reaches the model beside the text.',
  },
  {
    id: 'kitchen.chat.image-types',
    seed: 3,
    heading: 'ImageAttachment',
    promise:
      'JPEG, PNG, GIF and WebP are recognised by their bytes; anything else is refused with 400 and a sentence.',
  },
  {
    id: 'kitchen.chat.tool-use',
    seed: 3,
    heading: 'Scenario: Message with tool use',
    promise:
      'A question about recipes makes the model call the MCP tool, and the answer contains its result.',
  },
  {
    id: 'kitchen.chat.text-with-tools',
    seed: 3,
    heading: 'Scenario: LLM returns text alongside tool calls',
    promise: 'Text beside tool calls does not end the loop: the final text comes after the tool results.',
  },
  {
    id: 'kitchen.chat.conversation-id',
    seed: 3,
    heading: 'ChatRequest',
    promise: 'The conversation id comes back in the header `X-Conversation-Id` before the first event.',
  },
  {
    id: 'kitchen.chat.stop',
    seed: 3,
    heading: 'Requirement: Chat Message Handling',
    promise: 'The stop endpoint ends a running turn; a closed connection does not.',
  },

  // MCP
  {
    id: 'kitchen.mcp.list-recipes',
    seed: 3,
    heading: 'Scenario: List recipes via MCP',
    promise: '`list_recipes` returns the recipes to the model.',
  },
  {
    id: 'kitchen.mcp.get-recipe',
    seed: 3,
    heading: 'Scenario: Get recipe details via MCP',
    promise: '`get_recipe` returns one whole recipe by its id.',
  },
  {
    id: 'kitchen.mcp.create-recipe',
    seed: 3,
    heading: 'Scenario: Create recipe via MCP',
    promise: '`create_recipe` keeps a recipe and returns it with its id.',
  },
  {
    id: 'kitchen.mcp.update-and-delete',
    seed: 3,
    heading: 'Requirement: MCP Tool Access',
    promise: '`update_recipe` changes a recipe and `delete_recipe` removes it.',
  },
  {
    id: 'kitchen.mcp.crash-error',
    seed: 3,
    heading: 'Scenario: MCP server unavailable',
    promise: 'When the MCP server has crashed, the person is told so.',
  },
  {
    id: 'kitchen.mcp.crash-restart',
    seed: 3,
    heading: 'Scenario: MCP server unavailable',
    promise: 'A crashed MCP server is started again, with growing pauses.',
  },
  {
    id: 'kitchen.mcp.crash-isolated',
    seed: 3,
    heading: 'Reliability',
    promise: 'The crash of one MCP server leaves the others and the chat usable.',
  },

  // Server-sent events
  {
    id: 'kitchen.sse.chunk',
    seed: 3,
    heading: 'Scenario: Stream text chunks',
    promise: 'Text is sent as `chunk` events as soon as it arrives.',
  },
  {
    id: 'kitchen.sse.tool-use',
    seed: 3,
    heading: 'Scenario: Stream tool use notifications',
    promise: 'A tool call is told by `tool_use` when it starts, and again when it finished or failed.',
  },
  {
    id: 'kitchen.sse.done-event',
    seed: 3,
    heading: 'Scenario: Stream completion',
    promise: 'A finished response ends with `done` and the tokens used.',
  },
  {
    id: 'kitchen.sse.error-event',
    seed: 3,
    heading: 'SSE Events',
    promise: 'A failure is told by `error` with a message and whether trying again can help.',
  },
  {
    id: 'kitchen.sse.recipe-artifact',
    seed: 3,
    heading: 'SSE Events',
    promise: "`recipe_artifact` with the recipe id is sent before the tool's result goes back to the model.",
  },
  {
    id: 'kitchen.sse.resume',
    seed: 3,
    heading: 'Reliability',
    promise: 'A stream resumed with `Last-Event-ID` gets each later event once.',
  },

  // Conversation
  {
    id: 'kitchen.context.follow-up',
    seed: 3,
    heading: 'Scenario: Follow-up questions',
    promise: 'A follow-up is sent with the conversation so far.',
  },
  {
    id: 'kitchen.context.new-session',
    seed: 3,
    heading: 'Scenario: New session',
    promise: 'A message without a conversation id starts with no memory of earlier ones.',
  },
  {
    id: 'kitchen.context.trimming',
    seed: 3,
    heading: 'Scenario: Context window management',
    promise: 'Older messages are left out when the conversation grows too long, the newest stay.',
  },
  {
    id: 'kitchen.context.tool-results-kept',
    seed: 3,
    heading: 'Scenario: Tool interactions preserved across turns',
    promise: 'Tool calls and results of earlier turns are part of what the model gets.',
  },
  {
    id: 'kitchen.context.several-tools-kept',
    seed: 3,
    heading: 'Scenario: Multiple tool calls preserved',
    promise: 'All tool calls of one turn and their results are kept.',
  },

  // Recipes
  {
    id: 'kitchen.recipes.list',
    seed: 3,
    heading: 'Scenario: Fetch recipe data',
    promise: '`GET /api/recipes` lists the recipes.',
  },
  {
    id: 'kitchen.recipes.get',
    seed: 3,
    heading: 'Scenario: Fetch recipe data',
    promise: '`GET /api/recipes/:id` returns one recipe in the pinned form.',
  },
  {
    id: 'kitchen.recipes.not-found',
    seed: 3,
    heading: 'Scenario: Recipe fetch error handling',
    promise: 'An unknown recipe id is answered 404 with an error.',
  },
  {
    id: 'kitchen.recipes.display-unknown',
    seed: 3,
    heading: 'Scenario: Display recipe artifact',
    promise: '`display_recipe` with an unknown recipe is a tool error and sends no artifact.',
  },

  // Page
  {
    id: 'kitchen.ui.send',
    seed: 3,
    heading: 'Scenario: Send message via UI',
    promise: 'A message typed and sent appears in the conversation and goes to the API.',
  },
  {
    id: 'kitchen.ui.streaming',
    seed: 3,
    heading: 'Scenario: Display streaming response',
    promise: 'Text appears while it arrives, and the page scrolls with it.',
  },
  {
    id: 'kitchen.ui.tool-activity',
    seed: 3,
    heading: 'Scenario: Display tool use',
    promise: 'The page says in words that a tool is at work.',
  },
  {
    id: 'kitchen.ui.error-retry',
    seed: 3,
    heading: 'Scenario: Handle errors gracefully',
    promise: 'An error shows a helpful sentence, and the person can try again.',
  },
  {
    id: 'kitchen.ui.recipe-panel',
    seed: 3,
    heading: 'Scenario: Display recipe artifact',
    promise: 'The recipe panel opens in a loading state and then shows the recipe.',
  },
  {
    id: 'kitchen.ui.panel-beside',
    seed: 3,
    heading: 'Scenario: Responsive layout with artifact',
    promise: 'From 768 px on, chat and recipe stand side by side.',
  },
  {
    id: 'kitchen.ui.panel-over',
    seed: 3,
    heading: 'Scenario: Responsive layout with artifact',
    promise: 'Below 768 px the recipe lies over the chat.',
  },
  {
    id: 'kitchen.ui.panel-loading-at-once',
    seed: 3,
    heading: 'Scenario: Parse recipe artifact event',
    promise: 'The panel shows its loading state as soon as the event arrives.',
  },
  {
    id: 'kitchen.ui.panel-fetch',
    seed: 3,
    heading: 'Scenario: Fetch recipe data',
    promise: "The panel fetches the recipe with the page's own credentials.",
  },
  {
    id: 'kitchen.ui.panel-not-found',
    seed: 3,
    heading: 'Scenario: Recipe fetch error handling',
    promise: 'For an unknown recipe the panel stays open and says "Recipe not found".',
  },
  {
    id: 'kitchen.ui.panel-close',
    seed: 3,
    heading: 'Scenario: Recipe panel close button on mobile',
    promise: 'The close button brings the chat back on a small screen.',
  },
  {
    id: 'kitchen.ui.responsive',
    seed: 3,
    heading: 'Performance',
    promise: 'The page stays responsive while text streams in.',
  },
  {
    id: 'kitchen.ui.reconnect',
    seed: 3,
    heading: 'Reliability',
    promise: 'After a lost connection the page goes on by itself and misses nothing.',
  },

  // Login
  {
    id: 'kitchen.auth.cookie',
    seed: 3,
    heading: 'Scenario: Valid session cookie',
    promise: 'A request with a valid `rv_session` cookie is served.',
  },
  {
    id: 'kitchen.auth.api-key',
    seed: 3,
    heading: 'Scenario: Valid API key',
    promise: 'A request with a valid `X-API-Key` is served.',
  },
  {
    id: 'kitchen.auth.none',
    seed: 3,
    heading: 'Scenario: No valid authentication',
    promise: 'A request without valid credentials is answered 401.',
  },
  {
    id: 'kitchen.auth.login-form',
    seed: 3,
    heading: 'Scenario: Web UI authentication',
    promise: 'A page request without a login shows the login form.',
  },
  {
    id: 'kitchen.auth.login',
    seed: 3,
    heading: 'Scenario: Web UI authentication',
    promise: 'The right family password logs in and leads to the chat.',
  },
  {
    id: 'kitchen.auth.wrong-password',
    seed: 3,
    heading: 'Requirement: Authentication',
    promise: 'A wrong password is answered 401 and sets no cookie.',
  },
  {
    id: 'kitchen.logout.button',
    seed: 3,
    heading: 'Scenario: Logout button displayed',
    promise: 'The chat page has a logout button in its header.',
  },
  {
    id: 'kitchen.logout.click',
    seed: 3,
    heading: 'Scenario: Logout button clicked',
    promise: 'Logging out posts to `/logout` and leads to the login form.',
  },
  {
    id: 'kitchen.logout.ends-streams',
    seed: 3,
    heading: 'Requirement: Logout UI',
    promise: 'Logging out ends the open streams of that login.',
  },

  // System prompt and reminder
  {
    id: 'kitchen.prompt.single',
    seed: 3,
    heading: 'Scenario: Single prompt source',
    promise: 'Exactly one system prompt is sent to the model.',
  },
  {
    id: 'kitchen.prompt.intents',
    seed: 3,
    heading: 'Scenario: Prompt includes tool-use triggers',
    promise: 'The prompt names the tool for listing, for viewing and for after creating a recipe.',
  },
  {
    id: 'kitchen.prompt.examples-match',
    seed: 3,
    heading: 'Scenario: Prompt examples match tool schemas',
    promise: 'Examples in the prompt use only parameters that the tools have.',
  },
  {
    id: 'kitchen.reminder.fifth-message',
    seed: 3,
    heading: 'Requirement: Long-Conversation Reminder',
    promise: 'From the fifth message on, a reminder is added to what the model gets.',
  },
  {
    id: 'kitchen.reminder.content',
    seed: 3,
    heading: 'Scenario: Reminder covers all tool-use patterns',
    promise:
      'The reminder covers listing, showing, showing after creating, and not repeating recipes in the chat.',
  },
  {
    id: 'kitchen.reminder.not-in-history',
    seed: 3,
    heading: 'Scenario: Reminder covers all tool-use patterns',
    promise: 'The reminder is not shown in the history.',
  },

  // Quality
  {
    id: 'kitchen.performance.first-token',
    seed: 3,
    heading: 'Performance',
    promise: "The first event follows the model's first token at once.",
  },
  {
    id: 'kitchen.security.key-stays-inside',
    seed: 3,
    heading: 'Security',
    promise: 'The API key occurs in no response and in no file sent to the browser.',
  },
  {
    id: 'kitchen.security.input-cleaned',
    seed: 3,
    heading: 'Security',
    promise:
      'What a person typed is normalised, and control characters are removed, before it goes to the model.',
  },
];
