/**
 * The part of discord.js that the sample bot uses. The test speaks for the platform by lines of JSON: an interaction comes
 * in, and what the bot does with it goes out.
 */
import { createInterface } from 'node:readline';

export const Events = { InteractionCreate: 'interactionCreate', ClientReady: 'clientReady' };
export const GatewayIntentBits = { Guilds: 1 };
export const MessageFlags = { Ephemeral: 64 };

const say = (did, what) => process.stdout.write(`${JSON.stringify({ did, ...what })}\n`);

export class Client {
  #listeners = {};
  application = { commands: { set: (commands) => say('commands', { commands }) } };
  channels = { fetch: async (channel) => ({ send: async (message) => say('send', { channel, message }) }) };
  users = { send: async (user, text) => say('tell', { user, text }) };

  on(event, listener) {
    this.#listeners[event] = listener;
    return this;
  }
  once(event, listener) {
    return this.on(event, listener);
  }
  async login() {
    this.#listeners.clientReady();
    for await (const line of createInterface({ input: process.stdin }))
      this.#listeners.interactionCreate(makeInteraction(JSON.parse(line)));
  }
}

function makeInteraction({ kind, roles = [], message, fields = {}, pictures = [], ...facts }) {
  return {
    ...facts,
    message: message && {
      ...message,
      attachments: new Map(message.attachments.map((one) => [one.url, one])),
      edit: async (changes) => say('edit', { changes }),
    },
    targetMessage: { author: facts.author },
    member: { roles: { cache: new Set(roles) } },
    fields: {
      getTextInputValue: (name) => fields[name],
      getUploadedFiles: () => new Map(pictures.map((one) => [one.url, one])),
    },
    isButton: () => kind === 'button',
    isModalSubmit: () => kind === 'form',
    isMessageContextMenuCommand: () => kind === 'menu',
    showModal: async (form) => say('form', { form }),
    reply: async (reply) => say('reply', { reply }),
    deferUpdate: async () => {},
  };
}
