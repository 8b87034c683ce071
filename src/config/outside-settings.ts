/** Settings of the chat platform, of avatars, and of the services on the status page. */
import { z } from 'zod';
import { isWebAddress, numberOr, SECRET, secretUrl, setting, splitTexts, type Setting } from './setting.ts';

const BOT_SOURCE = /^(?:panel:[\w-]{1,64}|docker:[\w.-]{1,128}|systemd:[\w@.:\\-]{1,255})$/;
const BOT_EXPECTED = 'must be panel:, docker: or systemd: and the name of the server, container or unit';
const bot = (example: string) => setting(z.string().regex(BOT_SOURCE).optional(), BOT_EXPECTED, example);

/** Their addresses are valid for a day. */
const PICTURE_HOSTS =
  'cdn.discordapp.com,media.discordapp.net,images-ext-1.discordapp.net,images-ext-2.discordapp.net';
const DOCKER_SOCKET = '/var/run/docker.sock';
const HOST_NAME = /^[a-z\d-]+(?:\.[a-z\d-]+)*$/;

export const OUTSIDE_SETTINGS = {
  CHAT_PLATFORM_API_URL: secretUrl('https://discord.com/api/v10'),
  CHAT_PLATFORM_TOKEN: SECRET,
  CHAT_PLATFORM_CDN_URL: secretUrl('https://cdn.discordapp.com'),
  CHAT_PLATFORM_CALLS_PER_SECOND: numberOr(5, 1, 40),
  AVATARS_MAX_MB: numberOr(200, 1, 999_999),
  REFUSED_PROOF_HOSTS: setting(
    z
      .string()
      .default(PICTURE_HOSTS)
      .transform((value) => splitTexts(value.toLowerCase(), ','))
      .refine((hosts) => hosts.every((host) => HOST_NAME.test(host))),
    'must be a comma-separated list of host names',
    'cdn.discordapp.com,media.discordapp.net',
  ),
  PROTECTION_SERVICE_URL: {
    schema: z.string().refine(isWebAddress).optional(),
    expected: 'must be an http or https address without user and password',
    example: 'https://protection.example/health',
    isSecret: true,
  },
  PROTECTION_SERVICE_STATUS: numberOr(200, 200, 599),
  BOT_MAIN: bot('systemd:main-bot.service'),
  BOT_PROTECTION_PUBLIC: bot('docker:protection-public'),
  BOT_PROTECTION_ADMIN: bot('panel:1a2b3c4d'),
  BOT_PANEL_URL: secretUrl('https://panel.example'),
  BOT_PANEL_KEY: SECRET,
  BOT_DOCKER_SOCKET: setting(
    z.string().startsWith('/').default(DOCKER_SOCKET),
    'must be the absolute path of a socket',
    DOCKER_SOCKET,
  ),
} as const satisfies Readonly<Record<string, Setting>>;
