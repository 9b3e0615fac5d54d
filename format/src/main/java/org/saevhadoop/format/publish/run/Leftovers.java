package org.saevhadoop.format.publish.run;

import java.util.function.Consumer;

/**
 * What is done with the folder that a dead run has left.
 *
 * @param resume whether the run is continued; otherwise its folder is removed
 * @param trusted whether the folder may belong to another user
 * @param messages accepts a line about what was found
 * @param stopped accepts a line about what the run itself leaves if a signal ends the JVM
 */
public record Leftovers(
    boolean resume, boolean trusted, Consumer<String> messages, Consumer<String> stopped) {
  /** Removes the folder, without a message. */
  public static final Leftovers REMOVED = new Leftovers(false, false, message -> {});

  public Leftovers(boolean resume, boolean trusted, Consumer<String> messages) {
    this(resume, trusted, messages, line -> {});
  }
}
