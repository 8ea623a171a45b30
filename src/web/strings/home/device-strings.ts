/** The words of the page of a device. */
export { device as d } from '#web/strings/en/home/device.ts';
