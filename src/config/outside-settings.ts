/** Settings of the chat platform, of avatars, and of the services on the status page. */
import { z } from 'zod';
import { isWebAddress, secret, SERVICE_URL_EXPECTED, serviceUrl, type Setting } from './setting.ts';

const BOT_EXPECTED = 'must be panel:, docker: or systemd: and the name of the server, container or unit';
const bot = z
  .string()
  .regex(/^(?:panel:[\w-]{1,64}|docker:[\w.-]{1,128}|systemd:[\w@.:\\-]{1,255}|pid:.+)$/)
  .optional();

export const OUTSIDE_SETTINGS = {
  CHAT_PLATFORM_API_URL: {
    schema: serviceUrl,
    expected: SERVICE_URL_EXPECTED,
    example: 'https://discord.com/api/v10',
    isSecret: true,
  },
  CHAT_PLATFORM_TOKEN: {
    schema: secret,
    expected: 'must be ASCII characters',
    example: 'change-me',
    isSecret: true,
  },
  CHAT_PLATFORM_CDN_URL: {
    schema: serviceUrl,
    expected: SERVICE_URL_EXPECTED,
    example: 'https://cdn.discordapp.com',
    isSecret: true,
  },
  CHAT_PLATFORM_CALLS_PER_SECOND: {
    schema: z
      .string()
      .regex(/^\d{1,2}$/)
      .default('5')
      .transform(Number)
      .pipe(z.number().min(1).max(40)),
    expected: 'must be a whole number from 1 to 40',
    example: '5',
  },
  AVATARS_MAX_MB: {
    schema: z
      .string()
      .regex(/^\d{1,6}$/)
      .default('200')
      .transform(Number)
      .pipe(z.number().min(1)),
    expected: 'must be a whole number from 1 to 999999',
    example: '200',
  },
  PROTECTION_SERVICE_URL: {
    schema: z.string().refine(isWebAddress).optional(),
    expected: 'must be an http or https address without user and password',
    example: 'https://protection.example/health',
    isSecret: true,
  },
  PROTECTION_SERVICE_STATUS: {
    schema: z
      .string()
      .regex(/^[2-5]\d\d$/)
      .default('200')
      .transform(Number),
    expected: 'must be a status from 200 to 599',
    example: '200',
  },
  BOT_MAIN: { schema: bot, expected: BOT_EXPECTED, example: 'systemd:main-bot.service' },
  BOT_PROTECTION_PUBLIC: { schema: bot, expected: BOT_EXPECTED, example: 'docker:protection-public' },
  BOT_PROTECTION_ADMIN: { schema: bot, expected: BOT_EXPECTED, example: 'panel:1a2b3c4d' },
  BOT_PANEL_URL: {
    schema: serviceUrl,
    expected: SERVICE_URL_EXPECTED,
    example: 'https://panel.example',
    isSecret: true,
  },
  BOT_PANEL_KEY: {
    schema: secret,
    expected: 'must be ASCII characters',
    example: 'change-me',
    isSecret: true,
  },
  BOT_DOCKER_SOCKET: {
    schema: z.string().startsWith('/').default('/var/run/docker.sock'),
    expected: 'must be the absolute path of a socket',
    example: '/var/run/docker.sock',
  },
} as const satisfies Readonly<Record<string, Setting>>;
