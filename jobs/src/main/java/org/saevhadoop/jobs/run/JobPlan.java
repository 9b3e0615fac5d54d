package org.saevhadoop.jobs.run;

import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.storage.StoragePath;

/**
 * The plan of a job, as defined by its splits.
 *
 * @param maps the number of map tasks
 * @param reduces the number of reduce tasks
 * @param bytes the number of bytes that the map tasks would read
 * @param temporary the folder for temporary files that would contain its output; null if its output
 *     is elsewhere
 */
public record JobPlan(int maps, int reduces, long bytes, @Nullable StoragePath temporary) {}
