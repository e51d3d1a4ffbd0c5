/** Whether a browser window could be shown. */
export function hasDisplay(): boolean {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  return process.platform !== 'linux' || Boolean(DISPLAY) || Boolean(WAYLAND_DISPLAY);
}
