package org.saevhadoop.jobs.run;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/** The principal that may renew the delegation tokens of a job. */
final class TokenRenewer {
  /** The key from which Hadoop takes the renewer, without which it submits no job if secured. */
  private static final String MANAGER = "yarn.resourcemanager.principal";

  private TokenRenewer() {}

  /**
   * Makes the user the renewer for a job of the local runner, as no ResourceManager takes part in
   * it. A renewer that is configured is kept.
   */
  static void prepareLocal(Configuration conf) throws IOException {
    if (UserGroupInformation.isSecurityEnabled() && conf.get(MANAGER) == null) {
      conf.set(MANAGER, UserGroupInformation.getCurrentUser().getUserName());
    }
  }
}
