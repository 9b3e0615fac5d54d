/**
 * The servers that a command needs: NameNodes, object stores and the ResourceManager.
 *
 * <p>{@link org.saevhadoop.jobs.server.Servers} asks each of them once, before it is used, on a
 * connection of its own that fails within seconds and with one line: an unknown host, a closed
 * port, a server that does not answer, a missing library, a missing or expired Kerberos ticket
 * ({@code SecurityFailure}). It remembers which have answered. NameNodes are then watched ({@code
 * ServerWatch}), because Hadoop's clients repeat requests for minutes without a message.
 *
 * <p>{@link org.saevhadoop.jobs.server.ServerRetries} sets how long requests are repeated while a
 * NameNode restarts. {@link org.saevhadoop.jobs.server.YarnApplications} reports the state of
 * applications, and {@link org.saevhadoop.jobs.server.ClusterRoom} the number of tasks that a
 * cluster can run at once.
 *
 * <p>The settings that are shortened are those of Hadoop 3.4's clients (core-default.xml,
 * hdfs-default.xml and yarn-default.xml). This package knows neither jobs nor datasets.
 */
@NullMarked
package org.saevhadoop.jobs.server;

import org.jspecify.annotations.NullMarked;
