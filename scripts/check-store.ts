import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

import type { BrowserName } from './browsers/find-browser.ts';
import { projectFolder } from './project-folder.ts';

/** A built extension: its files by path, with forward slashes. */
export type BuiltFiles = ReadonlyMap<string, Buffer>;

/**
 * Finds what a browser or its store refuses. Each sentence names the file, the line in the source and the limit. The comments
 * of this file name the source of each rule. Codes in capitals are those of Mozilla's linter (addons-linter).
 */
export function findRefused(files: BuiltFiles, browser: BrowserName): readonly string[] {
  const { output: manifest, issues } = v.safeParse(Manifest, parse(textOf(files, 'manifest.json')));
  if (issues) {
    return issues.map((issue) => `${inManifest(String(issue.path?.[0].key))}: ${issue.message}`);
  }
  const locales = readLocales(files);
  return [
    ...findWrongKeys(manifest, browser),
    ...locales.flatMap(findWrongMessages),
    ...findWrongLocales(files, manifest, locales),
    ...findLongTexts(manifest, locales, browser),
    ...findWrongIcons(files, manifest),
    ...findUnusedPermissions(files, manifest),
    ...findWrongFiles(files, browser),
  ];
}

const Icons = v.optional(v.union([v.string(), v.record(v.string(), v.string())]), {});

const Manifest = v.looseObject({
  version: v.string(),
  name: v.string(),
  description: v.optional(v.string(), ''),
  default_locale: v.optional(v.string()),
  permissions: v.optional(v.array(v.string()), []),
  icons: Icons,
  action: v.optional(v.looseObject({ default_icon: Icons })),
  commands: v.optional(v.record(v.string(), v.looseObject({ suggested_key: v.optional(v.unknown()) })), {}),
  update_url: v.optional(v.string()),
  browser_specific_settings: v.optional(
    v.looseObject({
      gecko: v.optional(v.looseObject({ id: v.optional(v.string()), update_url: v.optional(v.string()) })),
    }),
  ),
});
type Manifest = v.InferOutput<typeof Manifest>;

/**
 * - The version: https://developer.chrome.com/docs/extensions/reference/manifest/version and `VERSION_FORMAT_INVALID`.
 * - `update_url`: `MANIFEST_UPDATE_URL`.
 * - The id for Firefox: the schema of Mozilla's linter.
 * - Suggested keys: https://developer.chrome.com/docs/extensions/reference/api/commands.
 */
function findWrongKeys(manifest: Manifest, browser: BrowserName): readonly string[] {
  const problems: string[] = [];
  const { version, update_url: updateUrl, browser_specific_settings: settings, commands } = manifest;
  const parts = version.split('.');
  const isNumber = (part: string): boolean => /^(?:0|[1-9]\d{0,4})$/u.test(part) && Number(part) <= 65_535;
  if (parts.length > 4 || !parts.every(isNumber) || parts.every((part) => part === '0')) {
    problems.push(
      `${inManifest('version')}: "${version}" is not a version. Type one to four numbers up to 65535 with dots between, such as 1.0.0.`,
    );
  }
  const { id = '', update_url: geckoUrl } = settings?.gecko ?? {};
  if (updateUrl !== undefined || (browser === 'firefox' && geckoUrl !== undefined)) {
    problems.push(
      `${inManifest('update_url')}: Extensions in a store must not have "update_url". Remove it.`,
    );
  }
  const isId = /^(?:\{[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\}|[\w.-]*@[\w.-]+)$/iu.test(id);
  if (browser === 'firefox' && (!isId || id.length > 80)) {
    problems.push(
      `${inManifest('id')}: "${id}" is not an id for Firefox. Type it like name@example.org, with at most 80 characters.`,
    );
  }
  const keys = Object.values(commands).filter((command) => command.suggested_key !== undefined).length;
  if (keys > 4) {
    problems.push(`${inManifest('commands')}: There are ${keys} suggested keys. Browsers allow at most 4.`);
  }
  return problems;
}

interface Locale {
  readonly name: string;
  /** Path of the source file. */
  readonly path: string;
  readonly text: string;
  readonly messages: unknown;
}

function readLocales(files: BuiltFiles): readonly Locale[] {
  return [...files.keys()].flatMap((built) => {
    const name = /^_locales\/([^/]+)\/messages\.json$/u.exec(built)?.[1];
    const text = textOf(files, built);
    return name === undefined ? [] : [{ name, path: `src/static/${built}`, text, messages: parse(text) }];
  });
}

const Message = v.looseObject({
  message: v.string(),
  placeholders: v.optional(v.record(v.string(), v.looseObject({ content: v.string() })), {}),
});

/** https://developer.chrome.com/docs/extensions/how-to/ui/localization-message-formats has these rules. */
function findWrongMessages({ path, text, messages }: Locale): readonly string[] {
  if (messages instanceof Error) return [`${path}:${lineOfError(text, messages)}: ${messages.message}.`];
  if (Array.isArray(messages) || !v.is(v.record(v.string(), v.unknown()), messages))
    return [`${path}:1: Type an object with messages.`];
  const seen = new Set<string>();
  return Object.entries(messages).flatMap(([key, value]) => {
    const place = `${path}:${lineOf(text, key)}`;
    const isKnown = seen.has(key.toLowerCase());
    seen.add(key.toLowerCase());
    if (isKnown) return [`${place}: The message "${key}" exists twice. Names ignore the case of letters.`];
    if (!/^(?!@@)[\w@]+$/u.test(key)) {
      return [
        `${place}: "${key}" is not a name. Use only letters, digits, "_" and "@", and no "@@" in front.`,
      ];
    }
    if (!v.is(Message, value)) {
      return [`${place}: "${key}" needs a text as "message", and a text as "content" of each placeholder.`];
    }
    const { message, placeholders = {} } = value;
    const names = new Set(Object.keys(placeholders).map((name) => name.toLowerCase()));
    const used = [...message.matchAll(/\$([\w@]+)\$/gu)].map(([, name = '']) => name);
    return used
      .filter((name) => !names.has(name.toLowerCase()))
      .map((name) => `${place}: "${key}" uses $${name}$, which is not one of its placeholders. Add it.`);
  });
}

/** https://developer.chrome.com/docs/extensions/reference/api/i18n and `NO_MESSAGES_FILE` are the sources of these rules. */
function findWrongLocales(files: BuiltFiles, manifest: Manifest, locales: readonly Locale[]) {
  const { default_locale: first } = manifest;
  const place = inManifest('default_locale');
  const folders = new Set([...files.keys()].flatMap((path) => /^_locales\/([^/]+)\//u.exec(path)?.[1] ?? []));
  const own = locales.find(({ name }) => name === first);
  const used = [...JSON.stringify(manifest).matchAll(/__MSG_(?!@@)([\w@]+?)__/gu)].map(([, key = '']) => key);
  const isMissing = first === undefined ? folders.size > 0 || used.length > 0 : own === undefined;
  return [
    ...(isMissing
      ? [`${place}: "default_locale" must name a folder of src/static/_locales that has messages.json.`]
      : []),
    ...[...folders].flatMap((name) => [
      ...(/^[a-z]{2,3}(?:_[A-Z][a-z]{3})?(?:_(?:[A-Z]{2}|\d{3}))?$/u.test(name)
        ? []
        : [`src/static/_locales/${name}: This is not a locale. Name it like de, pt_BR or es_419.`]),
      ...(locales.some((locale) => locale.name === name)
        ? []
        : [`src/static/_locales/${name}: This folder has no messages.json. Add it, or remove the folder.`]),
    ]),
    ...used
      .filter((key) => own && !(own.messages instanceof Error) && messageOf(own, key) === undefined)
      .map((key) => `${inManifest(`__MSG_${key}__`)}: ${own?.path} has no message "${key}". Add it.`),
  ];
}

/**
 * The smallest and the largest number of characters. Text of each language counts by itself.
 *
 * - Edge and AMO allow a name of 45, and Chrome one of 75:
 *   https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/manifest.json/name. Mozilla's linter asks for at least 2.
 * - Chrome allows a description of 132, and AMO one of 250:
 *   https://developer.chrome.com/docs/extensions/reference/manifest/description and
 *   https://extensionworkshop.com/documentation/develop/create-an-appealing-listing/.
 */
const LENGTHS = {
  chromium: { name: [1, 45], description: [0, 132] },
  firefox: { name: [2, 45], description: [0, 250] },
} as const;

function findLongTexts(manifest: Manifest, locales: readonly Locale[], browser: BrowserName) {
  return (['name', 'description'] as const).flatMap((key) => {
    const [least, most] = LENGTHS[browser][key];
    const reference = /^__MSG_([\w@]+)__$/u.exec(manifest[key])?.[1];
    const texts =
      reference === undefined
        ? [[inManifest(key), manifest[key]] as const]
        : locales.flatMap((locale) => {
            const text = messageOf(locale, reference);
            return text === undefined
              ? []
              : [[`${locale.path}:${lineOf(locale.text, reference)}`, text] as const];
          });
    return texts
      .filter(([, { length }]) => length < least || length > most)
      .map(
        ([place, { length }]) =>
          `${place}: The ${key} of the extension has ${length} characters. The store of ${browser} allows ${least} to ${most}.`,
      );
  });
}

/** https://developer.chrome.com/docs/extensions/reference/manifest/icons and `ICON_SIZE_INVALID` are the sources of these rules. */
function findWrongIcons(files: BuiltFiles, { icons, action }: Manifest): readonly string[] {
  const listed = [icons, action?.default_icon ?? {}].flatMap((one) =>
    Object.entries(typeof one === 'string' ? { '': one } : one),
  );
  const problems = listed.flatMap(([size, path]) => {
    const place = inManifest(path);
    const file = files.get(path.replace(/^\.?\//u, ''));
    if (file === undefined) return [`${place}: The icon ${path} is not in the build. Add it to src/static.`];
    if (!/\.(?:png|jpe?g|gif|bmp|ico)$/iu.test(path)) {
      return [
        `${place}: Browsers do not show the icon ${path}. Use a PNG, because SVG and WebP are refused.`,
      ];
    }
    if (!/\.png$/iu.test(path)) return [];
    if (file.toString('latin1', 1, 4) !== 'PNG' || file.length < 24) {
      return [`${place}: The icon ${path} is not a PNG. Save it as one.`];
    }
    const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
    if (width === height && (size === '' || width === Number(size))) return [];
    return [`${place}: The icon ${path} has ${width} × ${height} pixels instead of ${size} × ${size}.`];
  });
  if (typeof icons === 'object' && '128' in icons) return problems;
  return [...problems, `${inManifest('icons')}: Chrome's store needs an icon of 128 × 128 pixels. Add it.`];
}

/** Permissions that are the name of an API. */
const APIS =
  /^(?:alarms|bookmarks|contextMenus|menus|cookies|declarativeNetRequest|downloads|history|idle|notifications|scripting|sessions|storage|tabs|topSites|webNavigation|webRequest)$/u;

/** Chrome refuses permissions without a use: https://developer.chrome.com/docs/webstore/program-policies/permissions. */
function findUnusedPermissions(files: BuiltFiles, { permissions }: Manifest): readonly string[] {
  const code = [...files].filter(([path]) => path.endsWith('.js')).map(([, bytes]) => bytes.toString('utf8'));
  return permissions
    .filter((name) => APIS.test(name))
    .filter((name) => {
      const api = /menus$/iu.test(name) ? '(?:contextMenus|menus)' : name;
      const use = new RegExp(String.raw`\.\s*${api}\b|\[["']${api}["']\]`, 'u');
      return !code.some((text) => use.test(text));
    })
    .map(
      (name) =>
        `${inManifest(name)}: No script uses the permission "${name}", and stores ask why. Remove it.`,
    );
}

/**
 * In bytes. https://developer.chrome.com/docs/webstore/publish has Chrome's limit, and
 * https://extensionworkshop.com/documentation/publish/submitting-an-add-on/ has those of AMO, of which `parsed` is for one file.
 */
const LARGEST = { chromium: 2_000_000_000, firefox: 200_000_000, parsed: 5 * 1_024 * 1_024 };

function findWrongFiles(files: BuiltFiles, browser: BrowserName): readonly string[] {
  const all = [...files].reduce((sum, [, { length }]) => sum + length, 0);
  return [
    ...(all > LARGEST[browser]
      ? [`The build has ${all} bytes. The store of ${browser} allows ${LARGEST[browser]}.`]
      : []),
    ...[...files].flatMap(([path, { length }]) => [
      ...(/^_(?!locales\/)/u.test(path)
        ? [`${path}: Names that begin with "_" are reserved by Chromium. Rename the file or folder.`]
        : []),
      ...(/\.(?:js|json|html|css)$/u.test(path) && length > LARGEST.parsed
        ? [`${path}: The file has ${length} bytes. AMO reads at most ${LARGEST.parsed}.`]
        : []),
    ]),
  ];
}

function messageOf({ messages }: Locale, key: string): string | undefined {
  if (!v.is(v.record(v.string(), v.unknown()), messages)) return undefined;
  const value = Object.entries(messages).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1];
  return v.is(Message, value) ? value.message : undefined;
}

/** Returns the place of a key or text in the source of the manifest. */
function inManifest(searched: string): string {
  return `manifest.json:${lineOf(readFileSync(join(projectFolder, 'manifest.json'), 'utf8'), searched)}`;
}

/** Returns the line of a JSON text where a string is first, or 1. */
function lineOf(text: string, searched: string): number {
  const lines = text.split('\n');
  const isKey = lines.findIndex((line) => line.includes(`"${searched}":`));
  return Math.max(isKey, isKey < 0 ? lines.findIndex((line) => line.includes(`"${searched}"`)) : 0, 0) + 1;
}

function lineOfError(text: string, { message }: Error): number {
  const position = /position (\d+)/u.exec(message)?.[1];
  return text.slice(0, position === undefined ? text.length : Number(position)).split('\n').length;
}

/** Returns the value of a JSON text, or the error if it is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

function textOf(files: BuiltFiles, path: string): string {
  return files.get(path)?.toString('utf8') ?? '';
}
