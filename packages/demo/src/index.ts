// What the server needs for demo mode.
export { type ChatPage, startChatPage } from './chat-page/chat-page.ts';
export { startDemoModel } from './demo-model/service.ts';
export { startLinkedInService } from './linkedin/service.ts';
export { sampleNotes } from './samples/notes.ts';
export { sampleProject, sampleProjectName } from './samples/project.ts';
export { startWebSite } from './web-site/service.ts';
