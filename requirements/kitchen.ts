// The kitchen assistant: SSE chat, MCP tools, recipes, page, login.
import { promisesOf } from './requirement.ts';

export const kitchen = promisesOf(3, {
  // Chat
  'kitchen.chat.message': "`POST /api/chat` answers a message by streaming the model's response.",
  'kitchen.chat.image': 'An image sent with the message reaches the model next to the text.',
  'kitchen.chat.image-size': 'An image that is too large gets 413 and the limit.',
  'kitchen.chat.image-types':
    'JPEG, PNG, GIF and WebP are recognized by their bytes; anything else gets 400 and a message.',
  'kitchen.chat.tool-use':
    'A question about recipes makes the model call the MCP tool, and the answer contains its result.',
  'kitchen.chat.text-with-tools':
    'Text next to tool calls does not end the loop: the final text comes after the tool results.',
  'kitchen.chat.conversation-id':
    'The conversation id is in the header `X-Conversation-Id`, before the first event.',
  'kitchen.chat.failed-prompt':
    'A message that failed before it was answered does not go to the model with the next one.',
  'kitchen.chat.retry':
    'A message that is sent again after a failure replaces the failed one; tools that ran do not run again.',
  'kitchen.chat.unknown-fields': 'Unknown fields of a message are ignored.',
  'kitchen.chat.stop': 'The stop endpoint ends a running turn; closing the connection does not.',

  // MCP
  'kitchen.mcp.list-recipes': '`list_recipes` returns the recipes to the model.',
  'kitchen.mcp.get-recipe': '`get_recipe` returns one whole recipe by its id.',
  'kitchen.mcp.create-recipe': '`create_recipe` stores a recipe and returns it with its id.',
  'kitchen.mcp.update-and-delete': '`update_recipe` changes a recipe and `delete_recipe` removes it.',
  'kitchen.mcp.crash-error':
    'A person who asks for something that needs a crashed MCP server learns about the crash.',
  'kitchen.mcp.crash-restart': 'A crashed MCP server is restarted, with growing pauses.',
  'kitchen.mcp.own-folder':
    'The program of an MCP server runs in its own folder in Parley’s home, unless the configuration names one.',
  'kitchen.mcp.renamed-in-prompt':
    'When a tool is renamed because of a clash, the prompt, the reminder and the descriptions use its new name.',
  'kitchen.prompt.extends':
    'An assistant in the configuration can extend another one: it gets its prompt, tools and reminder, and adds its own.',
  'kitchen.mcp.crash-isolated': 'When one MCP server crashes, the others and the chat stay usable.',

  // Server-sent events
  'kitchen.sse.chunk': 'Text is sent as `chunk` events as soon as it arrives.',
  'kitchen.sse.tool-use': 'A tool call sends `tool_use` when it starts, and again when it finishes or fails.',
  'kitchen.sse.done-event': 'A finished response ends with `done`, the tokens used and the conversation id.',
  'kitchen.sse.error-event': 'A failure sends `error` with a message and whether a retry can help.',
  'kitchen.sse.recipe-artifact':
    "`recipe_artifact` with the recipe id is sent before the tool's result goes back to the model.",
  'kitchen.sse.resume': 'A stream resumed with `Last-Event-ID` gets each later event once.',

  // Conversation
  'kitchen.context.follow-up': 'A follow-up includes the conversation so far.',
  'kitchen.context.new-session': 'A message without a conversation id starts without memory of earlier ones.',
  'kitchen.context.trimming':
    'When a conversation grows too long, older messages are left out and the newest stay.',
  'kitchen.context.tool-results-kept': 'The model gets the tool calls and results of earlier turns.',
  'kitchen.context.several-tools-kept': 'All tool calls of one turn and their results are stored.',

  // Recipes
  'kitchen.recipes.list': '`GET /api/recipes` lists the recipes as an array.',
  'kitchen.recipes.get': '`GET /api/recipes/:id` returns one recipe with its ingredients and steps.',
  'kitchen.recipes.not-found': 'An unknown recipe id gets 404 with an error.',
  'kitchen.recipes.display-unknown':
    '`display_recipe` with an unknown recipe is a tool error and sends no artifact.',

  // Page
  'kitchen.ui.send':
    'A message that a person types and sends appears in the conversation and goes to the API.',
  'kitchen.ui.streaming': 'Text appears while it arrives, and the page scrolls with it.',
  'kitchen.ui.tool-activity': 'The page says in words that a tool is running.',
  'kitchen.ui.switch-person':
    'Switching the person shows only their own things; another tab keeps showing and acting for the person it was loaded for.',
  'kitchen.ui.typed-text':
    'Typed text stays until it is sent: after a reload or a new login, while a message is edited, when one is taken back or refused.',
  'kitchen.ui.versions':
    'Editing a message and asking again start a new version of the conversation; the old one stays and can be reached.',
  'kitchen.ui.error-retry': 'An error shows a helpful message, and the person can retry.',
  'kitchen.ui.recipe-panel': 'The recipe panel opens in a loading state and then shows the recipe.',
  'kitchen.ui.panel-beside': 'At 768 px and wider, chat and recipe are side by side.',
  'kitchen.ui.panel-over': 'Below 768 px the recipe covers the chat.',
  'kitchen.ui.panel-loading-at-once': 'The panel shows its loading state as soon as the event arrives.',
  'kitchen.ui.panel-fetch': "The panel fetches the recipe with the page's own credentials.",
  'kitchen.ui.panel-not-found': 'For an unknown recipe the panel stays open and says "Recipe not found".',
  'kitchen.ui.panel-close': 'On a small screen the close button returns to the chat.',
  'kitchen.ui.responsive': 'The page stays responsive while text streams in.',
  'kitchen.ui.reconnect': 'After a lost connection the page reconnects on its own and misses nothing.',

  // Login
  'kitchen.auth.cookie': 'A request with a valid `rv_session` cookie is accepted.',
  'kitchen.auth.secure-cookie': 'Over TLS the name of the cookie starts with `__Host-`.',
  'kitchen.auth.origin': 'A login works only at the origin it was made for.',
  'kitchen.auth.known-browser':
    'Wrong passwords from elsewhere do not keep out a browser that has logged in before.',
  'kitchen.auth.api-key': 'A request with a valid `X-API-Key` is accepted.',
  'kitchen.auth.none': 'A request without valid credentials gets 401.',
  'kitchen.auth.login-form': 'A page request without a login shows the login form.',
  'kitchen.auth.login-person': 'A login may name its person; an unknown one is refused.',
  'kitchen.auth.login': 'The right family password logs in and opens the chat.',
  'kitchen.auth.wrong-password': 'A wrong password gets 401 and sets no cookie.',
  'kitchen.logout.button': 'The chat page has a logout button in its header.',
  'kitchen.logout.click': 'Logging out posts to `/logout` and opens the login form.',
  'kitchen.logout.ends-streams': 'Logging out closes the open streams of that login.',

  // System prompt and reminder
  'kitchen.prompt.single': 'The model gets exactly one system prompt.',
  'kitchen.prompt.intents':
    'The prompt names the tool for listing recipes, for viewing one and for showing one after creating it.',
  'kitchen.prompt.examples-match': 'Examples in the prompt use only parameters that the tools have.',
  'kitchen.reminder.fifth-message': 'From the fifth message on, the model also gets a reminder.',
  'kitchen.reminder.content':
    'The reminder covers listing, showing, showing after creating, and not repeating recipes in the chat.',
  'kitchen.reminder.not-in-history': 'The history does not show the reminder.',

  // Quality
  'kitchen.performance.first-token': "The first event is sent as soon as the model's first token arrives.",
  'kitchen.security.key-stays-inside':
    'The API key appears in no response and in no file sent to the browser.',
  'kitchen.security.input-cleaned':
    "A person's text is normalized and stripped of control characters before it goes to the model.",
});
