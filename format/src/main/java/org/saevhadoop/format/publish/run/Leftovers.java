package org.saevhadoop.format.publish.run;

import java.util.function.Consumer;

/**
 * The treatment of a folder that an interrupted run left behind.
 *
 * @param resume whether the run is continued; otherwise its folder is removed
 * @param trusted whether the folder may belong to another user
 * @param messages accepts a line about the leftovers
 * @param stopped accepts a line about the leftovers of the run itself if a signal ends the JVM
 */
public record Leftovers(
    boolean resume, boolean trusted, Consumer<String> messages, Consumer<String> stopped) {
  /** Removes the folder, without a message. */
  public static final Leftovers REMOVED = new Leftovers(false, false, message -> {});

  public Leftovers(boolean resume, boolean trusted, Consumer<String> messages) {
    this(resume, trusted, messages, line -> {});
  }
}
