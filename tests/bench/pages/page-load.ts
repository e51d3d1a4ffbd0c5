/** What was seen of one start of a page. */
export interface PageLoad {
  /** ms from the start of the navigation to the first contentful paint. */
  readonly paint: number;
  /** ms from there to the user timing mark `first-data`; not a number for a page without a script. */
  readonly data: number;
  /** Sum of the layout shifts. */
  readonly shift: number;
}
