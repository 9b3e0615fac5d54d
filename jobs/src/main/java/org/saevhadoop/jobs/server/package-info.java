/**
 * The servers that a command needs: NameNodes, object stores and the ResourceManager.
 *
 * <p>{@link org.saevhadoop.jobs.server.Servers} asks each of them once, before it is used.
 * NameNodes are then watched ({@code ServerWatch}), because Hadoop's clients repeat requests for
 * minutes without a message; {@link org.saevhadoop.jobs.server.ServerRetries} sets how long they do
 * so. For its own requests, {@code Servers} shortens settings of Hadoop 3.4's clients
 * (core-default.xml, hdfs-default.xml and yarn-default.xml). docs/servers.md describes what the
 * user sees.
 *
 * <p>This package depends on neither jobs nor datasets.
 */
@Internal
@NullMarked
package org.saevhadoop.jobs.server;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
